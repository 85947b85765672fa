import { BlockList, isIPv6 } from 'node:net';
import type { Period } from './call-statistics.js';
import type { Connections } from '../connections.js';
import { table } from '../command-line/output.js';

/** Why a PSU-IP-Address is implausible (spec 8, rule 4). */
type Suspicion = 'private' | 'tpp-own' | 'changes-every-call';

export interface ConsentAddresses {
  readonly tppId: string;
  readonly consentId: string;
  /** The number of days with calls that had an address. */
  readonly days: number;
  readonly calls: number;
  readonly addresses: number;
  readonly suspicions: readonly Suspicion[];
  /** Up to ten addresses that are private or belong to the TPP. */
  readonly suspicious: readonly string[];
}

/** A table row: an address on a day. An empty address stands for all addresses after the fiftieth of that day. */
export interface AddressRow {
  readonly consentId: string;
  readonly tppId: string;
  readonly day: string;
  readonly address: string;
  readonly calls: number;
  readonly fromTpp: number;
}

/** Addresses that no PSU can have on the public internet: RFC 1918, 6598, 3927, 1122, 4193, 4291. */
const notPublic = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  notPublic.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  notPublic.addSubnet(network, bits, 'ipv6');
}
const isPrivate = (address: string): boolean =>
  address !== '' && notPublic.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * The number of calls per day from which address changes are significant, and the share of calls that may have a
 * new address.
 */
const fewCalls = 5;
const maxNew = 0.8;

/** Summarises a consent's rows, in any order. */
export const consentAddresses = (rows: readonly AddressRow[]): readonly ConsentAddresses[] => {
  const byConsent = Map.groupBy(rows, ({ consentId }) => consentId);
  return [...byConsent.values()].map((own): ConsentAddresses => {
    const days = [...Map.groupBy(own, ({ day }) => day).values()];
    const calls = addUp(own, ({ calls }) => calls);
    const privates = own.filter(({ address }) => isPrivate(address));
    const tppOwn = own.filter(({ fromTpp }) => fromTpp > 0);
    const changes = days.some((day) => {
      const ofDay = addUp(day, (row) => row.calls);
      // Each call beyond the fiftieth address counts as one new address, which is nearly exact.
      const distinct = addUp(day, (row) => (row.address === '' ? row.calls : 1));
      return ofDay >= fewCalls && distinct / ofDay > maxNew;
    });
    const suspicions: readonly (Suspicion | false)[] = [
      privates.length > 0 && 'private',
      tppOwn.length > 0 && 'tpp-own',
      changes && 'changes-every-call',
    ];
    return {
      tppId: own[0]?.tppId ?? '',
      consentId: own[0]?.consentId ?? '',
      days: days.length,
      calls,
      addresses: new Set(own.map(({ address }) => address)).size,
      suspicions: suspicions.filter((one): one is Suspicion => one !== false),
      suspicious: [...new Set([...privates, ...tppOwn].map(({ address }) => address))].slice(0, 10),
    };
  });
};

const addUp = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

/** Returns the PSU addresses of each consent in a period, those with the most suspicions first. */
export const psuAddresses = async (
  connections: Connections,
  { from, to }: Period,
): Promise<readonly ConsentAddresses[]> => {
  const { rows } = await connections.pool('consents').query<AddressRow>(
    `SELECT consent_id AS "consentId", tpp_id AS "tppId", to_char(day, 'YYYY-MM-DD') AS day, address, calls,
       from_tpp AS "fromTpp"
     FROM psu_address WHERE ($1::date IS NULL OR day >= $1) AND ($2::date IS NULL OR day <= $2)
     ORDER BY tpp_id, consent_id, day, address`,
    [from ?? null, to ?? null],
  );
  return [...consentAddresses(rows)].sort((one, other) => other.suspicions.length - one.suspicions.length);
};

export const addressesText = (consents: readonly ConsentAddresses[]): string =>
  table(
    consents,
    {
      tpp: ({ tppId }) => tppId,
      consent: ({ consentId }) => consentId,
      days: ({ days }) => days,
      calls: ({ calls }) => calls,
      addresses: ({ addresses }) => addresses,
      suspicions: ({ suspicions }) => suspicions.join(' ') || '-',
      which: ({ suspicious }) => suspicious.join(' '),
    },
    'nothing suspicious in this period',
  );
