import { sharingKey } from '../../../api/reports/runs/run-report';
import type { Requester } from '../../../db/platform/database';

const person: Requester & { kind: 'user_session' } = {
  kind: 'user_session',
  sessionId: 'session',
  profileId: 'person',
  role: 'merchant',
  homeMerchantId: 'home',
  environment: 'production',
  askedMerchantId: null,
  roles: ['merchant'],
  needsMerchant: true,
};
const key: Requester = {
  kind: 'service_key',
  keyHash: 'hash',
  environment: 'production',
  askedMerchantId: 'home',
  roles: [],
  needsMerchant: true,
};
const minute = 60_000;

describe('sharingKey', () => {
  it('differs for each caller, merchant, environment, request and minute', () => {
    const asked = { id: 'report' };
    const keys = [
      sharingKey(person, asked, 0),
      sharingKey({ ...person, profileId: 'another' }, asked, 0),
      sharingKey({ ...person, homeMerchantId: 'another' }, asked, 0),
      sharingKey({ ...person, askedMerchantId: 'another' }, asked, 0),
      sharingKey({ ...person, environment: 'uat' }, asked, 0),
      sharingKey({ ...person, role: 'merchant_selection' }, asked, 0),
      sharingKey(person, { id: 'another' }, 0),
      sharingKey(person, asked, minute),
      sharingKey(key, asked, 0),
      sharingKey({ ...key, keyHash: 'another' }, asked, 0),
      sharingKey({ ...key, askedMerchantId: 'another' }, asked, 0),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is the same for all sessions and all calls of a person in a minute', () => {
    const again = {
      ...person,
      sessionId: 'another',
      meter: { databaseMs: 7, merchantId: null, callerId: null },
    };
    expect(sharingKey(again, { id: 'report' }, minute - 1)).toBe(sharingKey(person, { id: 'report' }, 0));
  });
});
