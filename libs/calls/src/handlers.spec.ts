import { describe, expect, it } from '@jest/globals';
import { Command, CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { call } from '@xs2a/contracts/call';
import { controllerFor, QueryOf } from './handlers.js';

class Greet extends QueryOf(
  call<{ readonly name: string }, { readonly text: string }>('svc.greeter.greet', 'idempotent'),
) {}
@QueryHandler(Greet)
class GreetHandler {}

class Tidy extends Command<void> {}
@CommandHandler(Tidy)
class TidyHandler {}

describe('the controller for call handlers', () => {
  it('has one method for each call, and the method executes the query of that call with the request', async () => {
    const executed: unknown[] = [];
    const Controller = controllerFor([GreetHandler]);
    const controller = new Controller(
      {},
      { execute: async (query: unknown) => executed.push(query) },
    ) as Record<string, (request: unknown) => Promise<unknown>>;
    await controller['svc.greeter.greet']?.({ name: 'Ana' });
    expect(executed).toEqual([new Greet({ name: 'Ana' })]);
    expect(executed[0]).toBeInstanceOf(Greet);
  });

  it('refuses a handler whose command does not belong to a call', () => {
    expect(() => controllerFor([TidyHandler])).toThrow(
      'TidyHandler does not handle the command or query of any call',
    );
  });
});
