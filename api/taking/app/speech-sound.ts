let context: AudioContext | undefined;

/**
 * Returns the analyser of a sound that plays, or undefined if the browser does not let the page process sounds. The sound then plays
 * as before, because it is connected only to a context that runs: one that is suspended would silence it.
 */
export async function analyserOf(audio: HTMLAudioElement): Promise<AnalyserNode | undefined> {
  context ??= new AudioContext();
  await context.resume();
  if (context.state !== 'running') return undefined;
  const analyser = context.createAnalyser();
  // Short and without smoothing, so that the mouth follows each sound.
  analyser.fftSize = 1_024;
  analyser.smoothingTimeConstant = 0;
  context.createMediaElementSource(audio).connect(analyser).connect(context.destination);
  return analyser;
}
