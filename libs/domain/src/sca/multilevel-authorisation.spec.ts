import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { eachSignable, type SignableDriver } from '../testing/signables.js';

const persons = ['georgi', 'elena', 'petar', 'ivan'] as const;
const begun = Date.UTC(2026, 10, 20, 10);
const day = 24 * 60 * 60;
/** `seconds` after the start; every resource expires within a day. */
const at = (seconds: number): string => new Date(begun + seconds * 1000).toISOString();

interface Step {
  readonly does: 'start' | 'identify' | 'sign' | 'refuse' | 'refuseUnknown' | 'expire';
  /** Absent: the person for whom the authorisation was started. */
  readonly psu?: (typeof persons)[number];
  /** The number of an authorisation, in the order in which they were started. */
  readonly link: number;
  readonly isLate: boolean;
}
interface Setup {
  readonly required: number;
  readonly named?: string;
}

const step = (doing: readonly Step['does'][]): fc.Arbitrary<Step> =>
  fc.record({
    does: fc.constantFrom(...doing),
    psu: fc.oneof(
      { weight: 15, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...persons) },
    ),
    link: fc.nat({ max: 3 }),
    isLate: fc.constant(false),
  });
const usual = step(['start', 'start', 'identify', 'identify', 'sign', 'sign', 'sign']);
const rare = fc
  .record({
    one: step(['refuse', 'refuseUnknown', 'expire', 'sign', 'identify', 'start']),
    isLate: fc.boolean(),
  })
  .map(({ one, isLate }) => ({ ...one, isLate }));
const steps = fc.array(fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: rare }), {
  maxLength: 40,
  size: 'max',
});
const setup: fc.Arbitrary<Setup> = fc.record({
  required: fc.constantFrom(1, 2, 3),
  named: fc.option(fc.constantFrom(...persons), { nil: undefined, freq: 4 }),
});

/** What happened to one resource: the acts with the person and the authorisation of each. */
interface Happened {
  readonly act: string;
  readonly does: Step['does'];
  readonly psu: string;
  readonly link: number;
}

/** Plays the steps, and returns what was decided and the end of the authorisations. */
function play<State, Event>(
  driver: SignableDriver<State, Event>,
  { required, named }: Setup,
  played: readonly Step[],
) {
  let state = driver.begin({ signaturesRequired: required, psuId: named, now: at(0) });
  let isLate = false;
  const acts: Happened[] = [];
  const refused: Step[] = [];
  const startedFor = new Map<number, string | undefined>(required === 1 ? [[0, named]] : []);
  for (const one of played) {
    const { does, link } = one;
    const next = driver.authorisationsOf(state).length;
    const own = does === 'start' ? undefined : startedFor.get(link);
    const psu = one.psu ?? own ?? persons[(does === 'start' ? next : link) % persons.length] ?? 'ivan';
    isLate ||= one.isLate;
    const now = at(isLate ? 2 * day : 1);
    const authorisationId = `auth-${link}`;
    const use = { authorisationId, psuId: psu, now };
    const decision = {
      start: () => driver.start(state, { authorisationId: `auth-${next}`, psuId: psu, now }),
      identify: () => driver.identify(state, use),
      sign: () => driver.sign(state, use),
      refuse: () => driver.reject(state, { authorisationId, psuId: psu, reason: 'psu-refused' }),
      refuseUnknown: () => driver.reject(state, { authorisationId, reason: 'psu-refused' }),
      expire: () => driver.expire(state, { now }),
    }[does]();
    if ('refused' in decision) {
      refused.push(one);
      continue;
    }
    for (const event of decision.events) {
      state = driver.evolve(state, event, now);
      const act = driver.actOf(event);
      if (act === 'started') startedFor.set(next, psu);
      if (act !== undefined) acts.push({ act, does, psu, link });
    }
  }
  return { acts, refused, startedFor, authorisations: driver.authorisationsOf(state) };
}

const signatures = (acts: readonly Happened[]): readonly Happened[] =>
  acts.filter(({ act }) => act === 'partlySigned' || act === 'signed');

eachSignable((driver) => {
  describe(`the authorisation of ${driver.name} (contract 10)`, () => {
    const always = (holds: (setup: Setup, end: ReturnType<typeof play>) => void): void => {
      fc.assert(
        fc.property(setup, steps, (given, played) => {
          holds(given, play(driver, given, played));
        }),
        { numRuns: 300 },
      );
    };

    it('is signed by the required number of different persons, in any order, and ends with the last signature', () => {
      let isSigned = 0;
      always(({ required }, { acts }) => {
        const signed = signatures(acts);
        expect(new Set(signed.map(({ psu }) => psu)).size).toBe(signed.length);
        const last = acts.findIndex(({ act }) => act === 'signed');
        expect(last >= 0).toBe(signed.length === required);
        if (last < 0) return;
        isSigned += 1;
        expect(acts.slice(last + 1)).toEqual([]);
      });
      expect(isSigned).toBeGreaterThan(20);
    });

    it('lets no person sign with an authorisation that was started for another', () => {
      always((_given, { acts, startedFor }) => {
        for (const { psu, link } of signatures(acts))
          expect([undefined, psu]).toContain(startedFor.get(link));
      });
    });

    it('is rejected by one refusal, and then takes no further step', () => {
      let refusals = 0;
      always((_given, { acts, authorisations }) => {
        const rejected = acts.findIndex(({ act }) => act === 'rejected');
        if (rejected < 0) return;
        refusals += 1;
        expect(acts.slice(rejected + 1)).toEqual([]);
        expect(authorisations.map(({ scaStatus }) => scaStatus).filter((one) => one !== 'finalised')).toEqual(
          authorisations.filter(({ scaStatus }) => scaStatus !== 'finalised').map(() => 'failed'),
        );
      });
      expect(refusals).toBeGreaterThan(20);
    });

    it('keeps each signature, and fails or exempts the authorisations that are no longer needed', () => {
      always((_given, { acts, authorisations }) => {
        const finalised = authorisations.flatMap(({ scaStatus, psuId }) =>
          scaStatus === 'finalised' ? [psuId] : [],
        );
        expect([...finalised].sort()).toEqual(
          signatures(acts)
            .map(({ psu }) => psu)
            .sort(),
        );
        const isOver = acts.some(({ act }) => act === 'signed' || act === 'rejected');
        if (isOver)
          for (const { scaStatus } of authorisations)
            expect(['finalised', 'failed', 'exempted']).toContain(scaStatus);
      });
    });

    it('rejects a signature after its time instead of recording it', () => {
      fc.assert(
        fc.property(setup, fc.array(usual, { maxLength: 20 }), (given, played) => {
          const { acts } = play(driver, given, [
            ...played,
            { does: 'expire', psu: 'ivan', link: 0, isLate: true },
            { does: 'sign', psu: 'ivan', link: 0, isLate: true },
          ]);
          expect(['signed', 'rejected']).toContain(acts.at(-1)?.act);
        }),
        { numRuns: 100 },
      );
    });

    it('needs a sign-in to be refused once a person uses it', () => {
      always((_given, { acts }) => {
        const used = acts.findIndex(({ act }) => act === 'identified' || act === 'partlySigned');
        const refusedByLink = acts.findIndex(
          ({ act, does }) => act === 'rejected' && does === 'refuseUnknown',
        );
        if (used >= 0) expect(refusedByLink).toBeLessThan(used);
      });
    });

    it('stores no other member of a request than those that the event type declares', () => {
      const state = driver.begin({ signaturesRequired: 2, now: at(0) });
      const request = { authorisationId: 'a-1', psuId: 'georgi', now: at(1), undeclared: 'acme' };
      const decision = driver.start(state, request);
      expect(JSON.stringify(decision)).toContain('a-1');
      expect(JSON.stringify(decision)).not.toContain('acme');
    });

    it('starts at most twenty authorisations', () => {
      const starts = Array.from({ length: 30 }, (): Step => ({
        does: 'start',
        psu: 'elena',
        link: 0,
        isLate: false,
      }));
      const { authorisations, refused } = play(driver, { required: 2 }, starts);
      expect([authorisations.length, refused.length]).toEqual([20, 10]);
    });
  });
});
