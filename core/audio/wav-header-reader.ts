import { Refusal, refusal } from "../protocol/refusal.ts";
import { ByteGatherer } from "./byte-gatherer.ts";
import { tagBytes } from "./file-start.ts";
import {
  CHUNK_HEADER_BYTES,
  RIFF_HEADER_BYTES,
  fourCc,
  isFourCc,
  type WavFormat,
  type WavHeader,
} from "./wav-header.ts";
import {
  judgeContainer,
  judgeData,
  MAX_FORMAT_BYTES,
  MIN_FORMAT_BYTES,
  readFormat,
} from "./wav-chunks.ts";

/**
 * Reads a WAV's header from a stream of contiguous pieces of any size (rules U1, U4). Buffers at most a
 * few dozen bytes and settles as early as possible; further pushes do no work.
 */
export class WavHeaderReader {
  readonly #walk: WavHeaderWalk;
  #pushedBytes = 0;

  /**
   * @param fileBytes announced size of the whole file; `data` must lie inside it
   * @param fileName for the sentence of a refusal
   */
  constructor(fileBytes: number, fileName: string) {
    this.#walk = new WavHeaderWalk(fileBytes, fileName);
  }

  /** The header, or undefined until known. */
  get header(): WavHeader | undefined {
    const { outcome } = this.#walk;
    return outcome instanceof Refusal ? undefined : outcome;
  }

  /**
   * Reads the next piece without retaining it.
   * @returns the header once known
   * @throws {Refusal} a `WAV_…` of rule U4, again on every later call
   */
  push(piece: Uint8Array): WavHeader | undefined {
    this.#walk.show(piece, this.#pushedBytes);
    this.#pushedBytes += piece.byteLength;
    const { outcome } = this.#walk;
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  }

  /** Ends the stream; throws a `Refusal` if the header is incomplete, too. */
  end(): WavHeader {
    const outcome = this.#walk.end();
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  }
}

const FORMAT = fourCc("fmt ");
const DATA = fourCc("data");

/** The bytes that the walk needs next. */
type Stage = "riff header" | "behind tag" | "chunk header" | "format" | "after empty data";

/** Refusals whose only param is the file. */
type FileRefusal =
  | "WAV_NOT_RIFF"
  | "WAV_TAG_IN_FRONT"
  | "WAV_NO_FORMAT"
  | "WAV_FORMAT_BROKEN"
  | "WAV_FORMAT_AFTER_DATA"
  | "WAV_NO_DATA"
  | "WAV_STREAMED";

/**
 * Walks a WAV chunk by chunk until its header is known or refused (rule U4). A driver supplies the file
 * through `show`, as a stream or by seeking to `wantedOffset`. Buffers a few dozen bytes, copies nothing
 * it skips and allocates nothing per chunk.
 */
export class WavHeaderWalk {
  readonly #fileBytes: number;
  readonly #fileName: string;
  readonly #gatherer = new ByteGatherer(MAX_FORMAT_BYTES, (view, at) => this.#take(view, at));
  #stage: Stage = "riff header";
  #stageOffset = 0;
  #stageBytes = 0;
  #riffBytes = 0;
  #afterFormat = 0;
  #format: WavFormat | undefined;
  #dataSeen = false;
  #outcome: WavHeader | Refusal | undefined;

  /** @param fileBytes size of the whole file; `data` must lie inside it */
  constructor(fileBytes: number, fileName: string) {
    this.#fileBytes = fileBytes;
    this.#fileName = fileName;
    this.#want("riff header", 0, RIFF_HEADER_BYTES);
  }

  /** The header or a refusal; undefined until settled, then constant. */
  get outcome(): WavHeader | Refusal | undefined {
    return this.#outcome;
  }

  /** File offset of the next byte needed; infinite once settled. */
  get wantedOffset(): number {
    return this.#gatherer.wantedOffset;
  }

  /** Reads bytes from `windowOffset`. Windows are in order, without gaps after `wantedOffset`. */
  show(window: Uint8Array, windowOffset: number): void {
    this.#gatherer.show(window, windowOffset);
  }

  /** Ends the file and settles the outcome. */
  end(): WavHeader | Refusal {
    return this.#outcome ?? this.#refuse(this.#whatIsMissing());
  }

  #want(stage: Stage, offset: number, bytes: number): void {
    this.#stage = stage;
    this.#stageOffset = offset;
    this.#stageBytes = bytes;
    this.#gatherer.want(offset, bytes);
    if (offset + bytes > this.#fileBytes) this.end();
  }

  #take(view: DataView, at: number): void {
    switch (this.#stage) {
      case "riff header":
      case "behind tag":
        return this.#takeRiffHeader(
          new DataView(view.buffer, view.byteOffset + at, this.#stageBytes),
        );
      case "chunk header":
        return this.#takeChunkHeader(view.getUint32(at, true), view.getUint32(at + 4, true));
      case "format":
        return this.#takeFormat(new DataView(view.buffer, view.byteOffset + at, this.#stageBytes));
      case "after empty data":
        return this.#takeAfterEmptyData(view.getUint32(at, true), view.getUint32(at + 4, true));
    }
  }

  #takeRiffHeader(head: DataView): void {
    const tag = tagBytes(head);
    if (tag >= RIFF_HEADER_BYTES) {
      this.#want("behind tag", this.#stageOffset + tag, RIFF_HEADER_BYTES);
      return;
    }
    const [container, form] = [head.getUint32(0, true), head.getUint32(8, true)];
    const refused = judgeContainer(container, form, this.#fileName);
    const isTagged = this.#stage === "behind tag" && refused?.code !== "WAV_NOT_RIFF";
    if (isTagged) this.#refuse("WAV_TAG_IN_FRONT");
    else if (refused) this.#settle(refused);
    else {
      this.#riffBytes = head.getUint32(4, true);
      this.#want("chunk header", RIFF_HEADER_BYTES, CHUNK_HEADER_BYTES);
    }
  }

  #takeChunkHeader(id: number, sizeBytes: number): void {
    const bodyOffset = this.#stageOffset + CHUNK_HEADER_BYTES;
    const nextOffset = bodyOffset + sizeBytes + (sizeBytes % 2);
    if (id === FORMAT && this.#format === undefined) {
      this.#enterFormat(bodyOffset, sizeBytes, nextOffset);
    } else if (id === DATA && this.#format !== undefined) {
      this.#enterData(this.#format, bodyOffset, sizeBytes);
    } else {
      if (id === DATA) this.#dataSeen = true;
      this.#want("chunk header", nextOffset, CHUNK_HEADER_BYTES);
    }
  }

  #enterFormat(bodyOffset: number, sizeBytes: number, nextOffset: number): void {
    if (this.#dataSeen) {
      this.#refuse("WAV_FORMAT_AFTER_DATA");
    } else if (sizeBytes < MIN_FORMAT_BYTES) {
      this.#refuse("WAV_FORMAT_BROKEN");
    } else {
      this.#afterFormat = nextOffset;
      this.#want("format", bodyOffset, Math.min(sizeBytes, MAX_FORMAT_BYTES));
    }
  }

  #takeFormat(body: DataView): void {
    const format = readFormat(body, this.#fileName);
    if (format instanceof Refusal) {
      this.#settle(format);
    } else {
      this.#format = format;
      this.#want("chunk header", this.#afterFormat, CHUNK_HEADER_BYTES);
    }
  }

  #enterData(format: WavFormat, dataOffset: number, dataBytes: number): void {
    if (dataBytes === 0) {
      this.#want("after empty data", dataOffset, CHUNK_HEADER_BYTES);
    } else {
      const [riffBytes, fileBytes] = [this.#riffBytes, this.#fileBytes];
      const place = { dataOffset, dataBytes, riffBytes, fileBytes };
      this.#settle(judgeData(format, place, this.#fileName));
    }
  }

  /**
   * Decides what an empty `data` chunk means: it is truly empty only if another chunk follows; otherwise its audio
   * does.
   */
  #takeAfterEmptyData(id: number, sizeBytes: number): void {
    const chunkEnd = this.#stageOffset + CHUNK_HEADER_BYTES + sizeBytes;
    const isChunk = isFourCc(id) && chunkEnd <= this.#fileBytes;
    this.#refuse(isChunk ? "WAV_NO_DATA" : "WAV_STREAMED");
  }

  /** Returns the refusal for a file that ends before the bytes of the current stage. */
  #whatIsMissing(): FileRefusal {
    if (this.#stage === "riff header" || this.#stage === "behind tag") return "WAV_NOT_RIFF";
    if (this.#stage === "format") return "WAV_FORMAT_BROKEN";
    if (this.#format === undefined) return "WAV_NO_FORMAT";
    const hasAudio = this.#stage === "after empty data" && this.#stageOffset < this.#fileBytes;
    return hasAudio ? "WAV_STREAMED" : "WAV_NO_DATA";
  }

  #refuse(code: FileRefusal): Refusal {
    return this.#settle(refusal(code, { file: this.#fileName }));
  }

  #settle<Outcome extends WavHeader | Refusal>(outcome: Outcome): Outcome {
    this.#outcome = outcome;
    this.#gatherer.stop();
    return outcome;
  }
}
