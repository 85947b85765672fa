import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Html } from '@xs2a/html/html';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { bareHeaders } from './bare-page.js';

/** Sends what a handler returns as a page, with the headers of pages. */
@Injectable()
export class PageInterceptor implements NestInterceptor<unknown, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((result) => {
        if (!(result instanceof Html)) return result;
        reply.headers(bareHeaders);
        return result.text;
      }),
    );
  }
}
