import {
  applyDecorators,
  type ArgumentsHost,
  Catch,
  type RpcExceptionFilter,
  UseFilters,
} from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import type { Call } from '@xs2a/contracts/call';
import { type Observable, throwError } from 'rxjs';

/** Passes every error to the transport unchanged, because the transport alone decides what the caller may see. */
@Catch()
class HandOn implements RpcExceptionFilter<unknown> {
  catch(exception: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => exception);
  }
}

/** Decorates a method that handles a call of a contract: `(request) => Promise<Answer>`. */
export const Handles = <Request, Answer>(
  call: Call<Request, Answer>,
): (<Method extends (request: Request) => Promise<Answer> | Answer>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void) => applyDecorators(MessagePattern(call.subject), UseFilters(HandOn));
