import type { Role } from '../../../db/platform/vocabulary';
import type { AddressLimit } from '../http/address-limit';
import type { OperationDeps } from '../../deps';
import type { ConsoleSession } from '../../../db/platform/console-sessions';
import type { Meter, Requester } from '../../../db/platform/database';
import type { PortalChallenge } from '../../account/public';
import type { TokenSigner } from '../../../db/platform/tokens';

/** Secrets that the page after an action shows once. */
export type NewSecret = {
  title: string;
  secrets: readonly (readonly [id: string, label: string, secret: string])[];
  /** When the secret that this one replaces stops working. */
  previousEndsAt?: string;
};

export type ConsoleDeps = OperationDeps & {
  tokens: TokenSigner;
  addressLimit: AddressLimit;
  /** The most requests of one session per minute. 0 means no limit. */
  ratePerMinute: number;
  /** How portal domains are verified, and which domains are reserved for the platform. */
  portalDomains: { challenge: PortalChallenge; reserved: readonly string[] };
  /** The origin of the console. */
  publicOrigin: string;
  /** The address of the Temporal UI. Without `url` there is none. */
  temporalUi: { url: string | undefined; namespace: string };
};

/** Roles that may view pages. To change something, a person needs a role other than hiring manager. */
export const lookingRoles = ['merchant_owner', 'merchant', 'merchant_selection', 'admin'] as const;
export const changingRoles = ['merchant_owner', 'merchant', 'admin'] as const;
export const ownerRoles = ['merchant_owner', 'admin'] as const;

export type ChosenMerchant = { id: string; name: string; time_zone: string };
export type Query = Record<string, string | number | null | undefined>;

/** A person who is signed in, for the duration of one request. */
export type Visitor = {
  session: ConsoleSession;
  /** The token that every form carries. */
  csrf: string;
  meter: Meter;
  /** Null for a platform admin who has not chosen a merchant yet. */
  merchant: ChosenMerchant | null;
  /** The person's role at that merchant. */
  role: Role;
  /** Returns the address of a console page (`/access`) for the same merchant. */
  href: (path: string, query?: Query) => string;
  /** Returns the caller for database functions. The database rejects a role that is not in the list with PA403. */
  caller: (roles?: readonly Role[], needsMerchant?: boolean) => Requester;
  /** The same at another merchant, for a page that searches for the subject of a link. */
  callerAt: (merchantId: string) => Requester;
  flash: string | null;
  /** The secret that the last action created, shown once. */
  secret: NewSecret | null;
};

/** A visitor of one merchant's pages. */
export type Visit = Visitor & { merchant: ChosenMerchant };

export const mayChange = ({ role }: Visitor): boolean => changingRoles.some((each) => each === role);
export const isOwner = ({ role }: Visitor): boolean => ownerRoles.some((each) => each === role);
