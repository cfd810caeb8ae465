import type { VNode } from 'preact';
import { z } from 'zod';
import type { MerchantSettings } from '../../db/account/merchant-settings';
import { TextField } from '../platform/site/form';
import { numberOf } from '../platform/site/parse-form';
import { boundedText } from '../platform/text/bounded-text';

/** The settings that say how long the merchant keeps what candidates said (docs/operations.md#retention). */
export const retentionNames = [
  'recording_retention_days',
  'draft_retention_days',
  'result_retention_days',
] as const;
type RetentionName = (typeof retentionNames)[number];

const days = boundedText(20).transform(numberOf).pipe(z.int().min(1).max(3_650));

/** The schemas of these settings in the settings form. */
export const retentionForm = {
  recording_retention_days: days,
  draft_retention_days: days,
  result_retention_days: days,
} satisfies Record<RetentionName, z.ZodType>;

const labels: Record<RetentionName, { label: string; hint: string }> = {
  recording_retention_days: {
    label: 'Keep recordings (days)',
    hint: 'Audio and video are deleted this many days after they were recorded. 1 to 3,650.',
  },
  draft_retention_days: {
    label: 'Keep drafts (days)',
    hint: 'Answers that were never submitted are deleted this many days after the last one. 1 to 3,650.',
  },
  result_retention_days: {
    label: 'Keep transcripts and scores (days)',
    hint: 'They are deleted this many days after the candidate submitted. 1 to 3,650.',
  },
};

/** The controls of these settings in the settings form. */
export const RetentionFields = ({
  settings,
}: {
  settings: Readonly<Record<RetentionName, string | number | null>>;
}): VNode => (
  <>
    {retentionNames.map((name) => (
      <TextField {...{ name, ...labels[name] }} value={String(settings[name] ?? '')} type="number" />
    ))}
  </>
);

/** Returns the retention times that the page shows to people who cannot change the settings. */
export const retentionFacts = (settings: Pick<MerchantSettings, RetentionName>): [string, string][] => [
  ['Recordings kept', `${settings.recording_retention_days} days`],
  ['Drafts kept', `${settings.draft_retention_days} days`],
  ['Transcripts and scores kept', `${settings.result_retention_days} days`],
];
