import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Html } from '@xs2a/html/html';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { pageHeadersOf, securityHeaders } from './security-headers.js';
import { SeeOther } from './see-other.js';

/** The headers of a page that a handler may set otherwise. */
const setByHandlers = ['Content-Security-Policy', 'Cache-Control'] as const;

/** Sends what a handler returns: a page, the way to another one, or an asset with the headers that its handler sets. */
@Injectable()
export class PageInterceptor implements NestInterceptor<unknown, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return next.handle().pipe(
      map((result) => {
        if (result instanceof SeeOther) {
          reply.code(303).headers({ ...pageHeadersOf(request), location: result.path });
          return '';
        }
        const isPage = result instanceof Html;
        // Nest would answer a form with 201.
        if (isPage && reply.statusCode === 201) reply.code(200);
        const ofHandler = setByHandlers.flatMap((name): [string, string][] => {
          const value = reply.getHeader(name);
          return value === undefined ? [] : [[name, String(value)]];
        });
        reply.headers(isPage ? pageHeadersOf(request) : securityHeaders);
        reply.headers(Object.fromEntries(ofHandler));
        return isPage ? result.text : result;
      }),
    );
  }
}
