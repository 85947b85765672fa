import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Html } from '@xs2a/html/html';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { bareHeaders } from './bare-page.js';
import { securityHeaders } from './security-headers.js';

/** Sends what a handler returns as a page or, for the script of a page, as JSON, with the headers of pages. */
@Injectable()
export class PageInterceptor implements NestInterceptor<unknown, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((result) => {
        const isPage = result instanceof Html;
        reply.headers(isPage ? bareHeaders : securityHeaders);
        return isPage ? result.text : result;
      }),
    );
  }
}
