/** A downloaded file. */
export interface FileAnswer {
  /** Base name; empty if the service sent none. */
  readonly name: string;
  /** Media type, such as `application/gzip`. */
  readonly mediaType: string;
  /** Bytes of the file. */
  readonly content: Uint8Array;
}

/** A file to send. It is read only while it is sent. */
export interface FileToSend {
  /** Base name. */
  readonly name: string;
  /** Content, such as a blob from `openAsBlob`. */
  readonly content: Blob;
  /** Path of the file, for messages. */
  readonly path?: string;
}
