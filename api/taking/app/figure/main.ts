import type { TemplateType } from '../../../../db/platform/vocabulary';
import { amara } from './amara';
import { drawPerson } from './drawing';
import { jonas } from './jonas';
import { maya } from './maya';
import { createMotion, silentMoment } from './motion';
import type { HeardMoment } from './motion';
import { createMouthReader } from './mouth-from-sound';
import type { DrawnPerson } from './person';
import type { InterviewerState } from './pose';

/*
 * Draws the interviewer. It is a script of its own, which `interviewer.tsx` loads, so that pages without a picture do not have to
 * wait for it.
 */

const people: Record<Exclude<TemplateType, 'interactive_voice'>, DrawnPerson> = {
  offline_avatar_1: maya,
  offline_avatar_2: jonas,
  offline_avatar_3: amara,
  interactive_avatar_1: maya,
  interactive_avatar_2: jonas,
};

/**
 * The pause between two frames in milliseconds: 30 frames a second for blinks and nods, 20 while a sound moves the mouth, which closes as
 * often as with 30, and 4 for slow movements such as breathing, which then go on by a third of a pixel at most. What a figure costs
 * is almost all per frame.
 */
const pauseMs = { fast: 30, mouth: 40, slow: 250 };
/** The head moves only this often while the mouth moves. */
const headMs = 80;

/** Where a figure reads how loud it is: the sound that it speaks, or a function that returns a level from 0 to 1. */
export type FigureSound = AnalyserNode | (() => number);

export type Figure = {
  setState(state: InterviewerState): void;
  hear(sound: FigureSound | undefined): void;
  nod(): void;
  stop(): void;
};

/** Shows the interviewer of a template in `host`, until `stop` is called. */
export function createFigure(host: HTMLElement, template: TemplateType): Figure {
  const draw = template === 'interactive_voice' ? createRing(host) : createPerson(host, people[template]);
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let state: InterviewerState = 'idle';
  let read: ((ms: number) => HeardMoment) | undefined;
  let isNodDue = false;
  let last = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = 0;

  const cancel = () => {
    clearTimeout(timer);
    cancelAnimationFrame(request);
  };
  const frame = (now: number) => {
    const heard = read?.(Math.min(100, Math.max(1, now - last))) ?? silentMoment;
    last = now;
    const isFast = draw(now, { state, isNodDue }, heard, calm.matches);
    isNodDue = false;
    // Without movement, nothing changes until the state or the sound does.
    if (calm.matches && !isFast && !read) return;
    const pace = read ? 'mouth' : isFast ? 'fast' : 'slow';
    timer = setTimeout(() => (request = requestAnimationFrame(frame)), pauseMs[pace]);
  };
  const wake = () => {
    cancel();
    request = requestAnimationFrame(frame);
  };
  calm.addEventListener('change', wake);
  wake();
  return {
    setState(next) {
      state = next;
      wake();
    },
    hear(sound) {
      read =
        sound && (typeof sound === 'function' ? () => ({ weights: {}, level: sound() }) : listenTo(sound));
      wake();
    },
    nod() {
      isNodDue = true;
      wake();
    },
    stop() {
      calm.removeEventListener('change', wake);
      cancel();
      host.replaceChildren();
    },
  };
}

/** Returns the function that draws a frame, and that returns true if the next one should follow at once. */
type Draw = (
  now: number,
  does: { state: InterviewerState; isNodDue: boolean },
  heard: HeardMoment,
  isCalm: boolean,
) => boolean;

function createPerson(host: HTMLElement, person: DrawnPerson): Draw {
  const { showHead, showMouth } = drawPerson(host, person);
  const motion = createMotion(person.smile);
  let pose = motion.calmPose(silentMoment);
  let isFast = false;
  let movedAt = -Infinity;
  return (now, { state, isNodDue }, heard, isCalm) => {
    motion.setState(state);
    if (isNodDue) motion.nod();
    // The head of a person who speaks moves slowly, so it is drawn less often than the mouth.
    if (isCalm) {
      pose = motion.calmPose(heard);
      showHead(pose);
    } else if (isFast || now - movedAt > headMs) {
      ({ pose, isFast } = motion.pose(now, heard));
      movedAt = now;
      showHead(pose);
    }
    showMouth({ ...pose, mouth: heard.weights });
    return isFast;
  };
}

/** A ring that grows with the level of the sound. */
function createRing(host: HTMLElement): Draw {
  const ring = document.createElement('i');
  ring.append(document.createElement('i'));
  host.append(ring);
  let shown = 0;
  return (_now, _does, { level }) => {
    shown += (level - shown) * (level > shown ? 0.5 : 0.15);
    ring.style.transform = `scale(${(1 + shown * 0.35).toFixed(2)})`;
    return shown > 0.01;
  };
}

/** Returns the function that reads the shape of the mouth from a sound. It is called with the milliseconds since the last call. */
function listenTo(analyser: AnalyserNode): (ms: number) => HeardMoment {
  const spectrum = new Float32Array(analyser.frequencyBinCount);
  const samples = new Float32Array(analyser.fftSize);
  const step = createMouthReader(analyser.context.sampleRate, analyser.fftSize);
  return (ms) => {
    analyser.getFloatFrequencyData(spectrum);
    analyser.getFloatTimeDomainData(samples);
    return step(spectrum, samples, ms);
  };
}
