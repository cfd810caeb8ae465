import { createResampler } from './resampler';

/*
 * The audio worklet that captures the microphone. It is a bundle of its own, which the browser runs on the thread of the
 * sound. Node's types do not know the names of that thread.
 */

declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** The live process takes frames of 20 ms: 480 samples at this rate. */
const rate = 24_000;
const frameSamples = 480;

/** A frame of 16-bit samples, and its level on a scale of 0 to 1. */
export type EarFrame = { samples: ArrayBuffer; level: number };

class Ear extends AudioWorkletProcessor {
  private frame = new Int16Array(frameSamples);
  private filled = 0;
  private power = 0;
  private readonly resample = createResampler(sampleRate, rate, (sample) => this.add(sample));

  process([input]: Float32Array[][]): boolean {
    if (input?.[0]) this.resample(input[0]);
    return true;
  }

  private add(sample: number): void {
    const value = Math.max(-1, Math.min(1, sample));
    this.power += value * value;
    this.frame[this.filled] = value * 32_767;
    this.filled += 1;
    if (this.filled < frameSamples) return;
    const { buffer } = this.frame;
    const frame: EarFrame = { samples: buffer, level: Math.sqrt(this.power / frameSamples) };
    this.port.postMessage(frame, [buffer]);
    this.frame = new Int16Array(frameSamples);
    this.filled = 0;
    this.power = 0;
  }
}

registerProcessor('ear', Ear);
