import { createLimits } from '../../../api/platform/http/rate-limit';

/** Creates limits as an API process does while Postgres is away: this process counts by itself. */
export const limitsWithoutDatabase = () =>
  createLimits({ write: () => Promise.reject(new Error('Postgres is away')) }, { warn: () => undefined });
