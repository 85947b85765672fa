import { Controller, type Type } from '@nestjs/common';
import { Command, CommandBus, Query, QueryBus } from '@nestjs/cqrs';
import type { Call } from '@xs2a/contracts/call';
import { Handles } from './handles.js';

/** Returns the base class for the command of a call. */
export const CommandOf = <Request, Answer>(call: Call<Request, Answer>) =>
  class extends Command<Answer> {
    static readonly contract = call;

    constructor(readonly request: Request) {
      super();
    }
  };

/** Returns the base class for the query of a call. */
export const QueryOf = <Request, Answer>(call: Call<Request, Answer>) =>
  class extends Query<Answer> {
    static readonly contract = call;

    constructor(readonly request: Request) {
      super();
    }
  };

/** The metadata keys under which `@CommandHandler` and `@QueryHandler` store the command or query class. */
const [commandKey, queryKey] = ['__commandHandler__', '__queryHandler__'];

/**
 * Creates the controller that passes calls to their handlers. It receives each call from NATS and executes its
 * command or query on the bus. Throws for a handler whose command or query does not belong to a call.
 */
export const controllerFor = (handlers: readonly Type[]): Type => {
  @Controller()
  class CallsController {
    constructor(
      readonly commands: CommandBus,
      readonly queries: QueryBus,
    ) {}
  }
  for (const handler of handlers) {
    const command = Reflect.getMetadata(commandKey, handler) as ReturnType<typeof CommandOf> | undefined;
    const query = Reflect.getMetadata(queryKey, handler) as ReturnType<typeof QueryOf> | undefined;
    const call = (command ?? query)?.contract;
    if (call === undefined)
      throw new Error(`${handler.name} does not handle the command or query of any call`);
    const descriptor = {
      async value(this: CallsController, request: unknown): Promise<unknown> {
        return command === undefined
          ? query && this.queries.execute(new query(request))
          : this.commands.execute(new command(request));
      },
    };
    Object.defineProperty(CallsController.prototype, call.subject, descriptor);
    Handles(call)(CallsController.prototype, call.subject, descriptor);
  }
  return CallsController;
};
