import type { Role } from '../../../db/platform/vocabulary';
import type { AddressLimit } from '../http/address-limit';
import type { OperationDeps } from '../../deps';
import type { ConsoleSession } from '../../../db/platform/console-sessions';
import type { Meter, Requester } from '../../../db/platform/database';
import type { PortalChallenge } from '../../account/public';
import type { TokenSigner } from '../../../db/platform/tokens';

/** Secrets that the page after an act shows once. */
export type NewSecret = {
  title: string;
  secrets: readonly (readonly [id: string, label: string, secret: string])[];
  note?: string;
};

export type ConsoleDeps = OperationDeps & {
  tokens: TokenSigner;
  addressLimit: AddressLimit;
  /** Requests of one session in a minute; 0: any number. */
  ratePerMinute: number;
  /** How portal domains are proven, and which ones are the platform's. */
  portalDomains: { challenge: PortalChallenge; reserved: readonly string[] };
  /** Where the console is. */
  publicOrigin: string;
  /** Where workflows are looked at; without `url` nowhere. */
  temporalUi: { url: string | undefined; namespace: string };
};

/** Roles that may look; to change something one has to be another than the hiring manager. */
export const lookingRoles = ['merchant_owner', 'merchant', 'merchant_selection', 'admin'] as const;
export const changingRoles = ['merchant_owner', 'merchant', 'admin'] as const;
export const ownerRoles = ['merchant_owner', 'admin'] as const;

export type Query = Record<string, string | number | null | undefined>;

/** Somebody who is signed in, on one request. */
export type Visitor = {
  session: ConsoleSession;
  /** Every form carries it. */
  csrf: string;
  meter: Meter;
  /** Null of a platform admin who has chosen none yet. */
  merchant: { id: string; name: string } | null;
  /** What the person is at that merchant. */
  role: Role;
  /** The address of a page of the console (`/access`), of the same merchant. */
  href: (path: string, query?: Query) => string;
  /** The caller of the database's functions. The database refuses a role that is not in the list with PA403. */
  caller: (roles?: readonly Role[], needsMerchant?: boolean) => Requester;
  /** The same at another merchant, for a page that looks for what a link names. */
  callerAt: (merchantId: string) => Requester;
  flash: string | null;
  /** What the last act made, shown once. */
  secret: NewSecret | null;
};

/** A visitor of one merchant's pages. */
export type Visit = Visitor & { merchant: { id: string; name: string } };

export const mayChange = ({ role }: Visitor): boolean => changingRoles.some((each) => each === role);
export const isOwner = ({ role }: Visitor): boolean => ownerRoles.some((each) => each === role);
