/** The levels of the microphone and of what the page plays, in 5 ms of sound. */
export type Row = { ms: number; microphone: number; output: number };
type Span = { from: number; to: number };

/**
 * A script that captures, before the scripts of a page run, the loudest sample of each 5 ms of the microphone and of what is
 * played, of the context that plays. Both are read by one worklet, so they have one clock. The rows are in `tapped`, one list for each context.
 */
export const tap = `{
  const processor = ${JSON.stringify(`
    registerProcessor('tap', class extends AudioWorkletProcessor {
      rows = [];
      peaks = [0, 0];
      process(inputs) {
        for (const [n, [channel = []]] of inputs.entries())
          for (const sample of channel) this.peaks[n] = Math.max(this.peaks[n], Math.abs(sample));
        if ((currentFrame / 128) % 2 === 0) return true;
        this.rows.push({ ms: (1000 * currentFrame) / sampleRate, microphone: this.peaks[0], output: this.peaks[1] });
        this.peaks = [0, 0];
        if (this.rows.length >= 50) this.port.postMessage(this.rows.splice(0));
        return true;
      }
    });
  `)};
  globalThis.tapped = [];
  const taps = new WeakMap();
  const tapOf = (context) => {
    if (!taps.has(context)) taps.set(context, (async () => {
      await context.audioWorklet.addModule('data:text/javascript,' + encodeURIComponent(processor));
      const node = new AudioWorkletNode(context, 'tap', { numberOfInputs: 2, numberOfOutputs: 0 });
      const rows = [];
      tapped.push(rows);
      node.port.onmessage = ({ data }) => rows.push(...data);
      return node;
    })());
    return taps.get(context);
  };
  const { connect } = AudioNode.prototype;
  AudioNode.prototype.connect = function (to, ...more) {
    if (to instanceof AudioDestinationNode) void tapOf(this.context).then((node) => connect.call(this, node, 0, 1));
    if (this instanceof MediaStreamAudioSourceNode) void tapOf(this.context).then((node) => connect.call(this, node, 0, 0));
    return connect.call(this, to, ...more);
  };
}`;

/** Returns when a sound was louder than `level`, in milliseconds. A shorter pause than `pauseMs` does not end it. */
export function readSpans(
  rows: readonly Row[],
  name: 'microphone' | 'output',
  { level, pauseMs }: { level: number; pauseMs: number },
): Span[] {
  const spans: Span[] = [];
  for (const row of rows) {
    if (row[name] <= level) continue;
    const last = spans.at(-1);
    if (last && row.ms - last.to < pauseMs) last.to = row.ms;
    else spans.push({ from: row.ms, to: row.ms });
  }
  return spans;
}
