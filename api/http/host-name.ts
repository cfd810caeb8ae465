import type { Request } from 'express';

/** The host that was asked, in small letters and without the dot that may end it; empty where none was named. */
export const hostName = (request: Request): string => {
  // Express answers undefined without a Host header, whatever its types say.
  const named: string | undefined = request.hostname;
  return named?.toLowerCase().replace(/\.$/, '') ?? '';
};
