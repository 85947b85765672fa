import { Controller, Get, Inject, NotFoundException, Post, Query, UseGuards } from '@nestjs/common';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Html } from '@xs2a/html/html';
import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { PROFILE } from '@xs2a/runtime/tokens';
import type { OwnPsu } from '../own-things/own-things.js';
import { readList } from '../own-things/read-list.js';
import { ApiDescription } from '../reference/api-description.js';
import type { Schema } from '../reference/operations.js';
import { jsonOf, refusalNote } from './answers.js';
import { type Created, type Done, type Outcomes, peoplePage } from './people-page.js';
import { type ApiRequest, TppApi } from './tpp-api.js';
import { keyOf } from './workspace-page.js';
import { TppGuard, type TppVisit, VisitGuard, Visiting } from './visit.js';

type Form = URLSearchParams;
const field = (form: Form, name: string): string => (form.get(name) ?? '').trim();
/** The members that are not empty. */
const filled = (members: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));

const accountPath = (form: Form, below = ''): string =>
  `/sandbox/accounts/${field(form, 'iban').replaceAll(/[^A-Za-z0-9]/g, '') || '-'}${below}`;

/** The calls behind the forms, by their field `action`. */
const calls = {
  create: (form: Form) => ({
    method: 'POST',
    path: '/sandbox/psus',
    body: {
      ...filled({ name: field(form, 'name') }),
      accounts: [{ currency: field(form, 'currency'), opening: field(form, 'opening') }],
    },
  }),
  deposit: (form: Form) => ({
    method: 'POST',
    path: accountPath(form, '/deposit'),
    body: { amount: field(form, 'amount'), currency: field(form, 'currency') },
  }),
  status: (form: Form) => ({
    method: 'PATCH',
    path: accountPath(form),
    body: { status: field(form, 'status') },
  }),
  simulate: (form: Form) => ({
    method: 'POST',
    path: '/sandbox/simulate',
    body: { psuId: field(form, 'psuId'), outcome: field(form, 'outcome') },
  }),
} as const;
type Action = keyof typeof calls;
const isAction = (name: string): name is Action => Object.hasOwn(calls, name);

const requestOf = (action: Action, form: Form): ApiRequest => {
  const { method, path, body } = calls[action](form);
  const headers: Readonly<Record<string, string>> =
    method === 'POST' ? { 'idempotency-key': keyOf(form) } : {};
  return { method, path, headers, body: JSON.stringify(body) };
};

const doneTexts = {
  deposit: (form: Form) => `Deposited ${field(form, 'amount')} ${field(form, 'currency')}.`,
  status: (form: Form) => `The account is ${field(form, 'status')}.`,
  simulate: (form: Form) =>
    field(form, 'outcome') === 'none'
      ? `The simulation for ${field(form, 'psuId')} has ended.`
      : `Saved: ${field(form, 'outcome')} for the next payment or funds confirmation of ${field(form, 'psuId')}.`,
} as const;

/** The outcomes that this bank can simulate, with their meaning. */
const outcomesIn = ({ components }: OpenApiDocument): Outcomes => {
  const { enum: values = [], description = '' } =
    (components.schemas['Simulation'] as Schema | undefined)?.properties?.['outcome'] ?? {};
  return { values: values.map(String), meaning: description };
};

/** People and accounts for tests: create, deposit, block, simulate. */
@Controller('workspace/people')
@UseGuards(VisitGuard, TppGuard)
export class PeopleController {
  constructor(
    private readonly api: TppApi,
    private readonly description: ApiDescription,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Get()
  async show(@Visiting() visit: TppVisit, @Query('cursor') cursor: unknown): Promise<Html> {
    return this.page(visit, {}, typeof cursor === 'string' ? cursor : undefined);
  }

  @Post()
  async act(@Visiting() visit: TppVisit): Promise<Html> {
    const { form, tpp } = visit;
    const action = field(form, 'action');
    if (!isAction(action)) throw new NotFoundException();
    const answer = await this.api.send(tpp, requestOf(action, form));
    const refusal = refusalNote(answer);
    if (refusal !== undefined) return this.page(visit, { refusal });
    if (action === 'create') return this.page(visit, { created: jsonOf<Created>(answer) });
    return this.page(visit, { done: doneTexts[action](form) });
  }

  private async page({ session, tpp, form }: TppVisit, result: Done, cursor?: string): Promise<Html> {
    const people = await readList<OwnPsu>(this.api, tpp, 'psus', cursor);
    const currency = standardOf(this.profile).homeCurrency;
    const outcomes = outcomesIn(this.description.document);
    return peoplePage({ people, session, form, currency, outcomes, ...result });
  }
}
