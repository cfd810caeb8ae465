import type { ConsoleSession } from '../../../db/platform/console-sessions';
import type { RequestMeter, Requester } from '../../../db/platform/database';
import type { TokenSigner } from '../../../db/platform/tokens';
import type { Role } from '../../../db/platform/vocabulary';
import type { DomainTxtCheck } from '../../account/public';
import type { OperationDeps } from '../../deps';
import type { AddressLimit } from '../http/address-limit';
import type { CreateLimit } from '../http/rate-limit';

/** New secrets, which the page after an action shows once. */
export type NewSecret = {
  title: string;
  secrets: readonly (readonly [id: string, label: string, secret: string])[];
  /** When the previous secret, which this one replaces, stops working. */
  previousEndsAt?: string;
};

export type ConsoleDeps = OperationDeps & {
  tokens: TokenSigner;
  addressLimit: AddressLimit;
  /** The most requests of one session per minute. 0 turns the limit off. */
  ratePerMinute: number;
  createLimit: CreateLimit;
  /** How portal domains are verified, and which domains are reserved for the platform. */
  portalDomains: { challenge: DomainTxtCheck; reserved: readonly string[] };
  /** The origin of the console. */
  publicOrigin: string;
  /** The address of the Temporal UI. `url` is undefined if the deployment has none. */
  temporalUi: { url: string | undefined; namespace: string };
};

/** The roles that may view pages. All of them except the hiring manager may also change things. */
export const consoleReaders = ['merchant_owner', 'merchant', 'merchant_selection', 'admin'] as const;
export const consoleWriters = ['merchant_owner', 'merchant', 'admin'] as const;
export const ownerRoles = ['merchant_owner', 'admin'] as const;

type ChosenMerchant = { id: string; name: string; time_zone: string };
export type HrefQuery = Record<string, string | number | null | undefined>;

/** The signed-in person who sent a request. */
export type ConsoleVisitor = {
  session: ConsoleSession;
  /** What every form of the page must contain: the session's form token, written differently in each page. */
  csrf: string;
  formToken: Buffer;
  meter: RequestMeter;
  /** Null for a platform admin who has not chosen a merchant yet. */
  merchant: ChosenMerchant | null;
  /** The person's role at the chosen merchant. */
  role: Role;
  /** Returns the address of a console page (`/access`) at the same merchant. */
  href: (path: string, query?: HrefQuery) => string;
  /**
   * Returns the caller for database functions. If the visitor's role is not in the list, the database rejects the
   * call with SQLSTATE PA403, which becomes a 403.
   */
  caller: (roles?: readonly Role[], needsMerchant?: boolean) => Requester;
  /** Returns the caller at another merchant, for a page that searches for the merchant of a link. */
  callerAt: (merchantId: string) => Requester;
  flash: string | null;
  /** The secret that the last action created, shown once. */
  secret: NewSecret | null;
  /** Aborted when the browser stops waiting for the page, so that its queries can end. */
  gone: AbortSignal;
};

/** A visitor who has chosen a merchant, or has only one. */
export type ConsoleVisit = ConsoleVisitor & { merchant: ChosenMerchant };

export const mayChange = ({ role }: ConsoleVisitor): boolean => consoleWriters.some((each) => each === role);
export const isOwner = ({ role }: ConsoleVisitor): boolean => ownerRoles.some((each) => each === role);
