import { max, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { timeUnits } from './format';

/** The height of the area of a chart in which values are drawn, in pixels. */
export const plotHeight = 180;

export type ValueAxis = {
  /** Returns the distance of a value from the top of the area, in pixels. */
  y: (value: number) => number;
  ticks: number[];
};

/**
 * Returns an axis that contains all values and 0, with round ticks. For integers, all ticks are whole numbers. For
 * durations, the ticks are round numbers of days, hours, minutes or seconds. The unit is the largest one that fits at
 * least twice into the longest duration.
 */
export function valueAxis(values: Iterable<number | null>, format: string): ValueAxis {
  const numbers = [...values].filter((value) => value !== null);
  const low = Math.min(0, min(numbers) ?? 0);
  const top = Math.max(0, max(numbers) ?? 0);
  const high = low === top ? emptyTop(format) : top;
  const unit = format === 'duration' ? unitOf(Math.max(-low, high)) : 1;
  const scale = scaleLinear([low / unit, high / unit], [plotHeight, 0]).nice(4);
  const ticks = scale.ticks(4).filter((tick) => format !== 'integer' || Number.isInteger(tick));
  return {
    y: (value) => roundToHundredths(scale(value / unit)),
    ticks: ticks.map((tick) => tick * unit),
  };
}

/** Returns the top of an axis whose values are all 0. */
const emptyTop = (format: string): number => (format === 'duration' ? 60 : format === 'integer' ? 4 : 1);

const unitOf = (seconds: number): number => timeUnits.find(([, unit]) => seconds >= 2 * unit)?.[1] ?? 1;

export const roundToHundredths = (value: number): number => Math.round(value * 100) / 100;

/** Returns the smallest `n` for which every `n`th of `count` labels fits in a width. */
export const labelStep = (count: number, width: number, labelWidth: number): number =>
  Math.max(1, Math.ceil((count * labelWidth) / width));
