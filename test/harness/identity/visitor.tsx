import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { consoleHref } from '../../../api/platform/site/visit';
import type { ConsoleVisit } from '../../../api/platform/site/visitor';
import { VisitorContext } from '../../../api/platform/site/visitor-context';

/**
 * Returns a person who is signed in to the console, for tests that only render pages. The functions `caller` and
 * `callerAt` throw, because these tests have no database.
 */
export const visitor = (more: Partial<ConsoleVisit> = {}): ConsoleVisit => ({
  session: {
    session_id: '0198a000-0000-7000-8000-000000000001',
    profile_id: '0198a000-0000-7000-8000-000000000002',
    name: 'Olivia Brandt',
    email: 'olivia@northwind.example',
    role: 'merchant_owner',
    home_merchant_id: '0198a000-0000-7000-8000-000000000003',
    default_merchant_id: '0198a000-0000-7000-8000-000000000003',
    environment: 'production',
    may_choose: false,
  },
  csrf: 'token',
  formToken: Buffer.alloc(32),
  meter: { databaseMs: 0, merchantId: null, callerId: null },
  merchant: { id: '0198a000-0000-7000-8000-000000000003', name: 'Northwind Talent', time_zone: 'UTC' },
  role: 'merchant_owner',
  href: consoleHref,
  caller: () => {
    throw new Error('no database here');
  },
  callerAt: () => {
    throw new Error('no database here');
  },
  flash: null,
  secret: null,
  gone: AbortSignal.any([]),
  ...more,
});

/** Renders a component of a console page for a visitor. */
export const render = (part: ComponentChildren, visit = visitor()): string =>
  renderToString(<VisitorContext.Provider value={visit}>{part}</VisitorContext.Provider>);
