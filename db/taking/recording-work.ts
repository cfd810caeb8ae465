import type { Statement } from '../platform/statement';
import type { RecordingPart } from './recordings';

/**
 * A recording that the worker has claimed, in the state in which the claim found or left it. `parts` are in order and
 * have no gaps if it is completed.
 */
export type RecordingWork = {
  id: string;
  state: 'completed' | 'stored' | 'discarded';
  path: string;
  /** How often workers have claimed the recording since its state changed. */
  tries: number;
  parts: RecordingPart[];
};

/**
 * A claim ends after this time unless the worker renews it. If it ends, the worker has died, and another worker can
 * claim the recording.
 */
const claimedFor = `interval '20 seconds'`;

/** How long a recording that is not kept may wait for its transcript after it was completed. */
const keptForTranscript = `interval '1 hour'`;

/**
 * Claims the recording whose work has been due for longest, over all merchants: one that is joined already, or one that
 * has to be joined or deleted. An upload becomes discarded if it received no part for 24 hours, and a recording that is not
 * kept when its hour is over.
 */
export const claimRecording = (isJoined: boolean): Statement<RecordingWork> => ({
  name: 'claim_recording',
  text: `
    with due as (
      select id from recording where work_at <= now() and (state = 'stored') = $1
      order by work_at limit 1 for update skip locked
    ), claimed as (
      update recording c set work_at = now() + ${claimedFor}, tries = c.tries + 1,
        state = case when c.state = 'open' or not c.is_kept and c.completed_at <= now() - ${keptForTranscript}
          then 'discarded' else c.state end
      from due where c.id = due.id returning c.id, c.merchant_id, c.state, c.path, c.tries
    )
    select c.id, c.state, c.path, c.tries, (
      select coalesce(jsonb_agg(jsonb_build_object('part', p.part, 'bytes', p.bytes, 'sha256', encode(p.sha256, 'hex'))
        order by p.part), '[]')
      from recording_part p where p.merchant_id = c.merchant_id and p.recording_id = c.id
    ) as parts
    from claimed c`,
  values: [isJoined],
});

/** Renews the claim of a recording that is still being worked on. */
export const renewRecordingClaim = (id: string): Statement => ({
  name: 'renew_recording_claim',
  text: `update recording set work_at = now() + ${claimedFor} where id = $1 and work_at is not null`,
  values: [id],
});

/**
 * Ends the claim of a stored recording whose work goes on, so that it is due at once. Returns no row if it was discarded
 * meanwhile.
 */
export const releaseRecording = (id: string): Statement => ({
  name: 'release_recording',
  text: `
    update recording set work_at = now(), tries = 0 where id = $1 and work_at is not null and state = 'stored' returning id`,
  values: [id],
});

/** Records that a recording has no picture, whatever its media type says. The answer then counts as sound. */
export const setRecordedSound = (id: string): Statement => ({
  name: 'set_recorded_sound',
  text: 'select app.set_recorded_sound($1)',
  values: [id],
});

/**
 * Records that the joined file is in the object store, shows it to readers of the result, and notifies those who wait
 * for it. `measuredMs` is the length of the recording, or null if it is not known (yet).
 */
export const setRecordingStored = (id: string, measuredMs: number | null): Statement => ({
  name: 'set_recording_stored',
  text: 'select app.set_recording_stored($1, $2)',
  values: [id, measuredMs],
});

/**
 * Deletes the rows of the parts of a stored recording, after their files were deleted. A recording that is not kept is due
 * again when its hour is over. Returns no row if it was discarded meanwhile.
 */
export const finishRecordingWork = (id: string): Statement => ({
  name: 'finish_recording_work',
  text: `
    with done as (
      update recording set work_at = case when not is_kept then completed_at + ${keptForTranscript} end
      where id = $1 and state = 'stored' returning merchant_id, id
    ), gone as (
      delete from recording_part p using done where p.merchant_id = done.merchant_id and p.recording_id = done.id
    )
    select id from done`,
  values: [id],
});

/** Gives up the transcript for which a recording was kept that is to be deleted. */
export const endTranscription = (id: string): Statement => ({
  name: 'end_transcription',
  text: 'select app.end_transcription($1)',
  values: [id],
});

/** Records that the files of a discarded recording were deleted, and deletes its row if it was not to be kept. */
export const finishDeletion = (id: string): Statement => ({
  name: 'finish_deletion',
  text: 'select app.finish_deletion($1)',
  values: [id],
});

/** Doubles the wait before the next try, from 5 seconds up to 10 minutes. */
export const postponeRecordingWork = (id: string): Statement => ({
  name: 'postpone_recording_work',
  text: `
    update recording set work_at = now() + least(600, 2.5 * power(2, least(tries, 10))) * interval '1 second'
    where id = $1`,
  values: [id],
});

/** Returns the prefix that the path of a recording and the paths of its parts share. No other path begins with it. */
export const recordingStem = (path: string): string => path.slice(0, path.lastIndexOf('.'));
