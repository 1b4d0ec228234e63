import java.io.File
import java.io.FileInputStream
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody
import okhttp3.RequestBody.Companion.asRequestBody
import okio.BufferedSink
import okio.source

// docs/use/other-languages.md explains it. Nobody has compiled it yet.

/** Sends what the relay lacks of a file. Call it again, with backoff, after an IOException, a 408, a 409 or a 5xx. */
fun upload(http: OkHttpClient, url: String, token: String, file: File): Int {
  fun request() = Request.Builder().url(url)
    .header("Authorization", "Bearer $token").header("Upload-Draft-Interop-Version", "8")
  val offset = http.newCall(request().head().build()).execute().use { answer ->
    if (answer.code in listOf(401, 408, 429) || answer.code > 501) return answer.code
    if (answer.header("Upload-Complete") == "?1") return 200
    answer.header("Upload-Offset")?.toLong()
  }
  val wav = "audio/wav".toMediaType()
  if (offset == null) {
    return http.newCall(request().put(file.asRequestBody(wav)).build()).execute().use { it.code }
  }
  val rest = object : RequestBody() {
    override fun contentType() = "application/partial-upload".toMediaType()
    override fun contentLength() = file.length() - offset
    override fun writeTo(sink: BufferedSink) {
      FileInputStream(file).use { input ->
        input.channel.position(offset)
        sink.writeAll(input.source())
      }
    }
  }
  val append = request().header("Upload-Offset", "$offset").header("Upload-Complete", "?1").patch(rest)
  return http.newCall(append.build()).execute().use { it.code }
}
