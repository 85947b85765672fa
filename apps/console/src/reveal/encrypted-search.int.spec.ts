import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import { searchByCommand, type SearchByCommand } from '@xs2a/contracts/console/reveal.contract';
import {
  type FoundPayments,
  type PaymentSearch,
  searchPayments,
} from '@xs2a/contracts/console/payment-search.contract';
import { createPool } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import { type InProcessService, startInProcess } from '@xs2a/runtime/testing/service-in-process';
import type { Pool } from 'pg';
import { Actions } from '../actions/actions.js';
import { PsuTags } from '../actions/psu-tags.js';
import { type ConsoleWorld, startConsoleWorld } from '../testing/console-world.js';
import { EncryptedSearch } from './encrypted-search.js';

const found: FoundPayments = {
  payments: [],
  found: 3,
  searched: 1214,
  candidates: 1214,
  archivedMonths: [],
  isOutdated: false,
};
const asked: PaymentSearch[] = [];

@Controller()
class PaymentsDouble {
  @Handles(searchPayments)
  search(request: PaymentSearch): FoundPayments {
    asked.push(request);
    return found;
  }
}

@Module({ controllers: [PaymentsDouble] })
class PaymentsDoubleModule {}

let world: ConsoleWorld;
let owner: Pool;
let payments: InProcessService;
let actions: Actions;
let search: EncryptedSearch;
beforeAll(async () => {
  world = await startConsoleWorld();
  owner = createPool({ url: world.ownerUrl, name: 'owner', max: 1 });
  payments = await startInProcess({ name: 'payments', module: PaymentsDoubleModule, natsUrl: world.natsUrl });
  const [console] = world.instances as [InProcessService];
  actions = console.get(Actions);
  search = console.get(EncryptedSearch);
}, 60_000);
afterAll(async () => {
  await payments.stop();
  await owner.end();
  await world.stop();
});
beforeEach(() => void asked.splice(0));

const staff = (name: string) => ({ subject: name, name, roles: ['operator'] }) as const;
const wanted = { tppId: 'sandbox-tpp', day: '2026-11-27', payee: 'Canary', lastFour: '9876', limit: 100 };
const command = async (changes: Partial<Record<keyof SearchByCommand, unknown>> = {}) =>
  world.callClient.call(searchByCommand, {
    ...wanted,
    actionId: newId(),
    operator: 'root',
    reason: 'case 17',
    ...changes,
  } as SearchByCommand);

describe('a search in encrypted data (docs/how-to/operate-the-console.md)', () => {
  it('is recorded with the members that were compared and how many were searched, but not their text', async () => {
    const actionId = newId();
    const by = staff('ivanova');
    expect(await search.find(wanted, { actionId, by, reason: 'case 17' })).toEqual({
      shown: found,
      left: 19,
    });
    expect(asked).toEqual([{ ...wanted, operator: 'ivanova', reason: 'case 17' }]);
    expect(await actions.find(actionId)).toMatchObject({
      type: 'revealed',
      act: 'search-encrypted',
      target: 'payments of TPP sandbox-tpp on 2026-11-27 by last four characters, payee',
      end: 'action-done',
      outcome: 'Searched 1,214 of 1,214, found 3.',
    });
    const { rows } = await owner.query<{ all: string }>(
      'SELECT string_agg(event::text, $1) AS all FROM console.operator_event AS event',
      [''],
    );
    for (const text of ['Canary', '9876']) expect(rows[0]?.all).not.toContain(text);
  });

  it('names a PSU only by a tag', async () => {
    const actionId = newId();
    const { tppId: _, ...others } = wanted;
    await search.find({ ...others, psuId: 'maria.p' }, { actionId, by: staff('petrov'), reason: 'case 17' });
    const tag = (world.instances[0] as InProcessService).get(PsuTags).of('maria.p');
    expect((await actions.find(actionId))?.target).toMatch(`payments of ${tag} on 2026-11-27 by `);
  });

  it('counts like a revealed field: the 21st of a person is refused, and payments is not asked', async () => {
    for (let made = 0; made < 20; made += 1) await command({ operator: 'georgiev' });
    asked.splice(0);
    expect(await command({ operator: 'georgiev' })).toEqual({
      refused: expect.stringMatching(/^Commands have revealed data 20 times within an hour\./),
    });
    expect(await command({ operator: 'todorova' })).toHaveProperty('refused');
    expect(asked).toEqual([]);
  });

  it.each<[string, Partial<Record<keyof SearchByCommand, unknown>>]>([
    ['without a TPP and a PSU', { tppId: undefined }],
    ['with both', { psuId: 'maria.p' }],
    ['of a day that is none', { day: 'yesterday' }],
    ['of a TPP that is no text', { tppId: 7 }],
    ['of a TPP that is no client id', { tppId: 'Maria Petrova' }],
    ['without a reason', { reason: '' }],
    ['for a reason that names the payee', { reason: 'for canary' }],
    ['for a reason that names the PSU', { tppId: undefined, psuId: 'maria.p', reason: 'for Maria.P' }],
  ])('by command is refused %s, and nothing is recorded', async (_what, changes) => {
    const before = await actions.ask('SELECT FROM operator_event', []);
    await expect(command(changes)).rejects.toThrow('fieldMalformed');
    expect(await actions.ask('SELECT FROM operator_event', [])).toHaveLength(before.length);
    expect(asked).toEqual([]);
  });
});
