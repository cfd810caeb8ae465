import { createMotion, silentMoment } from '../../../api/taking/app/figure/motion';
import { createMouthReader } from '../../../api/taking/app/figure/mouth-from-sound';
import { blendMouth } from '../../../api/taking/app/figure/mouth-shapes';
import type { MouthWeights } from '../../../api/taking/app/figure/mouth-shapes';
import type { Pose } from '../../../api/taking/app/figure/pose';

const [sampleRate, fftSize] = [48_000, 1_024];
const frameMs = 1_000 / 30;

/** A sound with energy around these frequencies, in Hz: its samples, and its spectrum in dB. */
function soundAt(...centers: number[]) {
  const spectrum = Float32Array.from({ length: fftSize / 2 }, (_, i) => {
    const hz = (i * sampleRate) / fftSize;
    return Math.max(-120, ...centers.map((center) => -30 - ((hz - center) / 60) ** 2));
  });
  const amplitude = centers.length === 0 ? 0 : 0.2;
  return { spectrum, samples: Float32Array.from({ length: fftSize }, (_, i) => amplitude * (-1) ** i) };
}
const nothing = soundAt();

/** Returns the weights of the mouth after each of these sounds has lasted for 0.7 seconds. */
function mouthsOf(...sounds: ReturnType<typeof soundAt>[]): MouthWeights[] {
  const step = createMouthReader(sampleRate, fftSize);
  return sounds.map(({ spectrum, samples }) => {
    for (let frame = 0; frame < 20; frame += 1) step(spectrum, samples, frameMs);
    return step(spectrum, samples, frameMs).weights;
  });
}
const strongest = (weights: MouthWeights) => Object.entries(weights).sort(([, a], [, b]) => b - a)[0]?.[0];

describe('the mouth of the interviewer', () => {
  it.each([
    ['aa', [700, 1_300]],
    ['ih', [300, 2_300]],
    ['ou', [400, 1_400]],
    ['SS', [6_500]],
    ['CH', [3_600]],
  ])('shows %s for its sound and rests in silence', (shape, centers) => {
    const [before, during, after] = mouthsOf(nothing, soundAt(...centers), nothing);
    expect([before, strongest(during ?? {}), after]).toEqual([{}, shape, {}]);
  });

  it('opens and rounds with the weight of a shape, and never wider than the widest shape', () => {
    const opened = [{}, { aa: 0.5 }, { aa: 1 }, { aa: 1, E: 1 }].map((weights) => blendMouth(weights, 6));
    expect(opened.map(({ open }) => open)).toEqual([0, 7.5, 15, 12]);
    expect(blendMouth({ ou: 1 }, 6)).toMatchObject({ round: 1, smile: expect.closeTo(1.2) });
  });
});

describe('the movements of the interviewer', () => {
  /** Returns the poses of ten seconds in a state, with a frame every 250 ms while nothing moves fast. */
  const posesIn = (state: 'listens' | 'thinks' | 'idle') => {
    const motion = createMotion(6, () => 0.5);
    motion.setState(state);
    const poses: Pose[] = [];
    for (let ms = 0; ms < 10_000;) {
      const { pose, isFast } = motion.pose(ms, silentMoment);
      poses.push(pose);
      ms += isFast ? frameMs : 250;
    }
    return poses;
  };
  const range = (values: number[]) => Math.max(...values) - Math.min(...values);

  it('blink in each state, nod while listening, and look away while thinking', () => {
    const [listens, thinks, idle] = [posesIn('listens'), posesIn('thinks'), posesIn('idle')];
    for (const poses of [listens, thinks, idle]) expect(Math.min(...poses.map(({ lids }) => lids))).toBe(0);
    expect(idle.length).toBeLessThan(100);
    expect(range(listens.map(({ pitch }) => pitch))).toBeGreaterThan(4);
    expect(range(idle.map(({ pitch }) => pitch))).toBeLessThan(2);
    expect(Math.abs(thinks.at(-1)?.gazeX ?? 0)).toBeGreaterThan(2);
    expect(Math.abs(idle.at(-1)?.gazeX ?? 0)).toBeLessThan(1);
  });

  it('nod once when asked, also while thinking', () => {
    const pitches = (isAsked: boolean) => {
      const motion = createMotion(6, () => 0.5);
      motion.setState('thinks');
      if (isAsked) motion.nod();
      return Array.from({ length: 60 }, (_, frame) => motion.pose(frame * frameMs, silentMoment).pose.pitch);
    };
    expect(range(pitches(true))).toBeGreaterThan(4);
    expect(range(pitches(false))).toBeLessThan(2);
  });

  it('are none but those of the mouth if the candidate prefers reduced motion', () => {
    const motion = createMotion(6);
    motion.setState('thinks');
    motion.pose(0, silentMoment);
    const { mouth, ...rest } = motion.calmPose({ weights: { aa: 1 }, level: 1 });
    const { mouth: closed, ...restBefore } = createMotion(6).calmPose(silentMoment);
    expect([mouth, closed, rest]).toEqual([{ aa: 1 }, {}, restBefore]);
  });
});
