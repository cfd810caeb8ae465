import type { MouthWeights } from './mouth-shapes';
import type { InterviewerState, Pose } from './pose';

/** What is heard of the voice at one moment. */
export type HeardMoment = { weights: MouthWeights; level: number };
export const silentMoment: HeardMoment = { weights: {}, level: 0 };

type Held = Omit<Pose, 'mouth' | 'lids' | 'breath'>;

/** How a person holds the head and the brows in each state, at rest. */
const held: Record<InterviewerState, Partial<Held>> = {
  speaks: {},
  listens: { tilt: 2.6, pitch: 1.5, browLeft: 0.28, browRight: 0.28, smile: 0.6 },
  thinks: { tilt: -2.2, yaw: 4, pitch: -1, browLeft: 0.3, browRight: 0.14, furrow: 0.25, smile: -1.2 },
  idle: { smile: 0.4 },
};
/** Within how many milliseconds a movement is almost done. */
const pace = (part: keyof Held): number => (part.startsWith('gaze') ? 28 : part === 'smile' ? 240 : 190);
/** A movement that is closer than this to its end is over, because the rest of it would not be seen. */
const unseen = 0.05;

const wave = (now: number, seconds: number, phase = 0): number =>
  Math.sin((now / 1_000 / seconds + phase) * 2 * Math.PI);

/**
 * Moves a person: blinks, looks, breathes, nods while listening, and raises the brows at loud syllables. Times are in
 * milliseconds.
 */
export function createMotion(smile: number, random: () => number = Math.random) {
  const between = (low: number, high: number) => low + random() * (high - low);
  const still: Held = {
    smile,
    gazeX: 0,
    gazeY: 0,
    browLeft: 0,
    browRight: 0,
    furrow: 0,
    tilt: 0,
    yaw: 0,
    pitch: 0,
  };
  const at = { ...still };
  let to = { ...still };
  let state: InterviewerState = 'idle';
  let side = 1;
  let last = 0;
  let blinkAt = 1_500;
  let blinkBegan: number | undefined;
  let isSecondBlink = false;
  let lookAt = 0;
  let nodAt = 0;
  let isNodding = false;
  /** True for a nod that does not depend on the state. */
  let isNodAsked = false;
  let emphasis = 0;
  let usualLevel = 0;

  function lids(now: number): number {
    if (now < blinkAt) return 1;
    blinkBegan ??= now;
    const age = now - blinkBegan;
    if (age < 75) return 1 - age / 75;
    if (age < 110) return 0;
    if (age < 270) return 1 - (1 - (age - 110) / 160) ** 2;
    blinkBegan = undefined;
    isSecondBlink = !isSecondBlink && random() < 0.12;
    blinkAt =
      now + (isSecondBlink ? 120 : state === 'thinks' ? between(1_600, 4_200) : between(2_400, 6_400));
    return 1;
  }

  /** Chooses where to look next: at the camera, except while thinking and for moments while speaking. */
  function look(now: number): void {
    if (now < lookAt) return;
    if (state === 'thinks') {
      Object.assign(to, { gazeX: side * between(2.2, 3.4), gazeY: between(-2.2, -0.6) });
      lookAt = now + between(1_300, 3_000);
    } else if (state === 'speaks' && random() < 0.16) {
      Object.assign(to, { gazeX: between(-2.4, 2.4), gazeY: between(-0.4, 1) });
      lookAt = now + between(350, 800);
    } else {
      Object.assign(to, { gazeX: between(-0.5, 0.5), gazeY: between(-0.35, 0.35) });
      lookAt = now + between(700, 2_400);
    }
  }

  function nod(now: number): number {
    if ((state !== 'listens' && !isNodAsked) || now < nodAt) return 0;
    // A nod that became due between two slow frames begins now, so that its first half is not skipped.
    if (!isNodding) nodAt = now;
    isNodding = true;
    const age = (now - nodAt) / 950;
    if (age >= 1) {
      isNodding = false;
      nodAt = now + between(3_200, 7_500);
      isNodAsked = false;
    }
    return age < 1 ? Math.sin(age * Math.PI * 2.5) ** 2 * (1 - age) * 6 : 0;
  }

  return {
    setState(next: InterviewerState): void {
      if (next === state) return;
      state = next;
      side = random() < 0.5 ? -1 : 1;
      const { tilt = 0, yaw = 0, smile: more = 0, ...rest } = held[next];
      to = { ...still, ...rest, tilt: tilt * side, yaw: yaw * side, smile: smile + more };
      // People blink when their attention moves.
      blinkAt = Math.min(blinkAt, last + between(60, 260));
      lookAt = last;
      nodAt = last + between(1_800, 3_500);
      isNodding = false;
      isNodAsked = false;
    },
    /** Nods once, whatever the state. */
    nod(): void {
      isNodAsked = true;
      isNodding = false;
      nodAt = last;
    },
    /** Returns the pose at a moment, and whether the head or the eyes move so fast that each frame should be drawn. */
    pose(now: number, { weights, level }: HeardMoment): { pose: Pose; isFast: boolean } {
      const ms = Math.min(100, now - last);
      last = now;
      look(now);
      usualLevel += (level - usualLevel) * (1 - Math.exp(-ms / 420));
      emphasis += (Math.max(0, level - usualLevel - 0.12) - emphasis) * (1 - Math.exp(-ms / 110));
      let isMoving = false;
      for (const part of Object.keys(at) as (keyof Held)[]) {
        at[part] += (to[part] - at[part]) * (1 - Math.exp(-ms / pace(part)));
        if (Math.abs(to[part] - at[part]) > unseen) isMoving = true;
      }
      const open = lids(now);
      const nodding = nod(now);
      const sway = state === 'speaks' ? 1.5 : 1;
      return {
        isFast: isMoving || blinkBegan !== undefined || isNodding,
        pose: {
          ...at,
          mouth: weights,
          lids: open,
          yaw: at.yaw + sway * (0.9 * wave(now, 7.3) + 0.6 * wave(now, 4.1, 0.3)),
          pitch: at.pitch + nodding + sway * 0.5 * wave(now, 5.9, 0.1) + emphasis * 6,
          tilt: at.tilt + sway * (0.45 * wave(now, 9.7, 0.5) + 0.25 * wave(now, 5.3)),
          browLeft: at.browLeft + emphasis * 0.8,
          browRight: at.browRight + emphasis * 0.8,
          breath: ((1 + wave(now, 4.4)) / 2) * (state === 'speaks' ? 0.7 : 1),
        },
      };
    },
    /** Returns a pose without any movement but that of the mouth. */
    calmPose: ({ weights }: HeardMoment): Pose => ({ ...still, mouth: weights, lids: 1, breath: 0 }),
  };
}
