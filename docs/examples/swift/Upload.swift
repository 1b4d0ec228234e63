import Foundation

// docs/use/other-languages.md explains it. Nobody has compiled it yet.

/// Sends what the relay lacks of a file. Call it again, with backoff, after a URLError, a 408, a 409 or a 5xx.
func upload(_ file: URL, to url: URL, token: String, session: URLSession) async throws -> Int {
  func request(_ method: String) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    request.setValue("8", forHTTPHeaderField: "Upload-Draft-Interop-Version")
    return request
  }
  func code(_ response: URLResponse) -> Int { (response as? HTTPURLResponse)?.statusCode ?? 0 }

  let (_, state) = try await session.data(for: request("HEAD"))
  if [401, 408, 429].contains(code(state)) || code(state) > 501 { return code(state) }
  let headers = state as? HTTPURLResponse
  if headers?.value(forHTTPHeaderField: "Upload-Complete") == "?1" { return 200 }
  guard let offset = headers?.value(forHTTPHeaderField: "Upload-Offset").flatMap({ Int($0) }) else {
    var whole = request("PUT")
    whole.setValue("audio/wav", forHTTPHeaderField: "Content-Type")
    return code(try await session.upload(for: whole, fromFile: file).1)
  }
  var append = request("PATCH")
  append.setValue("application/partial-upload", forHTTPHeaderField: "Content-Type")
  append.setValue(String(offset), forHTTPHeaderField: "Upload-Offset")
  append.setValue("?1", forHTTPHeaderField: "Upload-Complete")
  let rest = InputStream(url: file)
  rest?.setProperty(offset, forKey: .fileCurrentOffsetKey)
  append.httpBodyStream = rest
  return code(try await session.data(for: append).1)
}
