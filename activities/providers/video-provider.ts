/** A text that the provider's figure is to speak. */
export type VideoOrder = {
  /** Our id of the video, by which the provider's copy is found again. */
  id: string;
  text: string;
  /** The speed of the voice. 1 is normal. */
  speed: number;
};

export type VideoStatus =
  | { state: 'rendering' }
  | { state: 'failed'; code: string | null }
  /** `lengthMs` is the length that the provider charges, if it says it. */
  | { state: 'ready'; address: string; lengthMs: number | null };

/**
 * A provider of question videos. Each provider has one file in this folder. The functions take a signal that ends them
 * early, do not retry, and throw only ProviderError.
 */
export type VideoProvider = {
  /** Names the provider and its figure in the ledger of model calls. */
  model: string;
  /** The price of a minute in USD, if it is known. */
  minutePrice: number | undefined;
  /** Orders a video and returns the provider's id of it. */
  order: (video: VideoOrder, signal: AbortSignal) => Promise<string>;
  /**
   * Returns the provider's id of a video that was ordered at this time (Unix, in milliseconds) or later. Looks at a few hundred
   * videos of the account at most, so the id of a video that was followed by more is not found.
   */
  find: (id: string, orderedMs: number, signal: AbortSignal) => Promise<string | undefined>;
  read: (providerId: string, signal: AbortSignal) => Promise<VideoStatus>;
  /** Downloads a file from the address that `read` returned. */
  download: (address: string, signal: AbortSignal) => Promise<Buffer>;
  close: () => Promise<void>;
};
