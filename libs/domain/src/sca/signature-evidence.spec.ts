import { describe, expect, it } from '@jest/globals';
import type { Decision } from '../decision.js';
import { eachSignable } from '../testing/signables.js';
import type { SignatureEvidence } from './signature-evidence.js';

const now = '2026-11-20T10:00:00.000Z';
const evidenceOf = (psuId: string): SignatureEvidence => ({
  binding: `binding of ${psuId}`,
  language: 'bg',
  textsVersion: 'v',
});

/** The evidence in an event, whatever its type. */
const evidenceIn = (event: unknown): unknown =>
  (event as { readonly data: { readonly evidence?: unknown } }).data.evidence;

const eventsOf = <Event>(decision: Decision<Event>): readonly Event[] => {
  if ('refused' in decision) throw new Error(decision.refused.failure);
  return decision.events;
};

eachSignable((driver) =>
  describe(`the signatures of ${driver.name} (contract 10)`, () => {
    const { begin, evolve, start, identify, sign } = driver;
    const signedBy = (...psuIds: readonly string[]) => {
      let state = begin({ signaturesRequired: psuIds.length, now });
      const apply = (decision: Parameters<typeof eventsOf<Parameters<typeof evolve>[1]>>[0]) => {
        const events = eventsOf(decision);
        state = events.reduce((before, event) => evolve(before, event, now), state);
        return events;
      };
      const events = psuIds.map((psuId, index) => {
        const signing = { authorisationId: `auth-${index}`, psuId, now };
        if (psuIds.length > 1) apply(start(state, signing));
        apply(identify(state, signing));
        return apply(sign(state, { ...signing, evidence: evidenceOf(psuId) }))[0];
      });
      return { events, state };
    };

    it('each keep what their signer saw and signed', () => {
      for (const psuIds of [['ivan'], ['ivan', 'maria', 'georgi']])
        expect(signedBy(...psuIds).events.map(evidenceIn)).toEqual(psuIds.map(evidenceOf));
    });

    it('keep it in the events only, not in the state', () => {
      expect(JSON.stringify(signedBy('ivan', 'maria').state)).not.toContain('binding of');
    });
  }),
);
