import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Html } from '@xs2a/html/html';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { pageHeaders, securityHeaders } from './security-headers.js';

/** Sends what a handler returns: a page, or an asset with the headers that its handler sets. */
@Injectable()
export class PageInterceptor implements NestInterceptor<unknown, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((result) => {
        const isPage = result instanceof Html;
        reply.headers(isPage ? pageHeaders : securityHeaders);
        return isPage ? result.text : result;
      }),
    );
  }
}
