import type { Platform } from '../platform/platform';
import type { CandidateLink } from './candidate';

type Page = { status: number; html: string; location: string | null; headers: Headers };
type LinkWithPages = Pick<CandidateLink, 'url' | 'interviewId' | 'enrolmentId'>;

/** Returns functions that open the pages of a link and send their forms, as a browser without scripts does. */
export function candidateForms(platform: Platform) {
  const origin = platform.stack.portal_url;
  const read = async (response: Response): Promise<Page> => ({
    status: response.status,
    headers: response.headers,
    html: await response.text(),
    location: response.headers.get('location'),
  });
  const addressOf = ({ interviewId }: LinkWithPages, action: string) =>
    `${origin}/interview/take/${interviewId}/${action}`;
  const cookieOf = async ({ url }: LinkWithPages): Promise<string> => {
    const first = await fetch(url, { redirect: 'manual' });
    return first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };

  /** Opens one of the pages of a link. By default, it is the page that shows the current step of the interview. */
  const open = async (link: LinkWithPages, action = ''): Promise<Page> =>
    read(
      await fetch(addressOf(link, action), { headers: { cookie: await cookieOf(link) }, redirect: 'manual' }),
    );
  /**
   * Sends a form of a page. `fields` can replace the form's hidden field `for`, and `headers` the header `Origin`. A
   * list of fields may have names several times.
   */
  const send = async (
    link: LinkWithPages,
    action: string,
    fields: Record<string, string> | [string, string][],
    headers: Record<string, string> = {},
  ): Promise<Page> =>
    read(
      await fetch(addressOf(link, action), {
        method: 'POST',
        headers: { cookie: await cookieOf(link), origin, ...headers },
        body: new URLSearchParams(
          Array.isArray(fields)
            ? [['for', link.enrolmentId], ...fields]
            : { for: link.enrolmentId, ...fields },
        ),
        redirect: 'manual',
      }),
    );
  /** Sends a form with a file. */
  const upload = async (link: LinkWithPages, action: string, form: FormData): Promise<Page> => {
    form.set('for', link.enrolmentId);
    const headers = { cookie: await cookieOf(link), origin };
    const options = { method: 'POST', headers, body: form, redirect: 'manual' } as const;
    return read(await fetch(addressOf(link, action), options));
  };
  return { open, send, upload };
}
