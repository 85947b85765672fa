import { resources } from '@xs2a/resources/resources';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { groupConsents, ungroupConsents } from '@xs2a/contracts/baskets.contract';
import {
  expireDueConsents,
  revokeConsent,
  terminateConsent,
  consentAuthorisation,
} from '@xs2a/contracts/consents.contract';
import { consentEventTypes } from '@xs2a/domain/consent/consent-event-types';
import { publishedEvents } from '@xs2a/event-store/verification/published-copy';
import { eventSchemas } from '@xs2a/contracts/testing/event-schemas';
import { verifyStreams } from '@xs2a/event-store/verification/verify-events';
import { eventStoreViolations } from '@xs2a/event-store/verification/violations';
import { newId } from '@xs2a/runtime/ids';
import {
  countCall,
  consentBody,
  forTwo,
  moveClock,
  received,
  started,
  startWorld,
  validConsent,
  type World,
} from '../testing/consents-world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld(1);
  const { callClient } = world;
  const halfway = await forTwo(world);
  await callClient.call(consentAuthorisation.sign, await started(world, halfway, 'georgi'));
  const refused = await received(world);
  await callClient.call(consentAuthorisation.reject, { ...refused, psuId: 'ivan', reason: 'psu-refused' });
  const { tppId, consentId } = await received(world);
  const inBasket = { tppId, basketId: newId(), consentIds: [consentId] };
  await callClient.call(groupConsents, inBasket);
  await callClient.call(ungroupConsents, inBasket);
  await callClient.call(terminateConsent, await validConsent(world));
  await callClient.call(revokeConsent, await validConsent(world));
  const { psuId } = await validConsent(world);
  await validConsent(world, { psuId });
  const body = consentBody(world, { recurringIndicator: false, frequencyPerDay: 1 });
  await countCall(world, await validConsent(world, { body }));
  moveClock(world, 60);
  expect((await callClient.call(expireDueConsents, {})).expired).toBe(0);
}, 60_000);
afterAll(async () => world.stop());

describe('published consents (docs/events; quality, invariants 4 to 6)', () => {
  it('violate no invariant and show no sign of tampering', async () => {
    expect(await eventStoreViolations(world.pool, resources.consents, { nats: world.nats })).toEqual([]);
    expect(await verifyStreams(world.pool, { resource: resources.consents, nats: world.nats })).toMatchObject(
      {
        findings: [],
      },
    );
  });

  it('match the documentation for every event type', async () => {
    const findProblems = eventSchemas();
    const seen = new Set<string>();
    for await (const { event } of publishedEvents(world.nats, 'consents')) {
      expect(findProblems(event)).toEqual([]);
      seen.add(event.type);
    }
    expect([...seen].sort()).toEqual(
      Object.keys(consentEventTypes)
        .map((type) => `xs2a.consents.${type}`)
        .sort(),
    );
  });
});
