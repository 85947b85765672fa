import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { FastifyReply } from 'fastify';
import type { GatewayParts } from './edge/edge.js';
import { openApiDocument } from './openapi/document.js';
import { docsPage, docsPolicy } from './openapi/docs-page.js';

/** The description of this API, for programs and for people; made once, since it never changes while a process lives. */
@Controller()
export class DocsController {
  private readonly document: string;
  private readonly page: string;

  constructor(@Inject(CONFIG) config: GatewayParts['config'], @Inject(PROFILE) profile: Profile) {
    const document = openApiDocument({ baseUrl: config.BASE_URL, sandbox: config.SANDBOX, profile });
    this.document = JSON.stringify(document);
    this.page = docsPage(document, { baseUrl: config.BASE_URL, sandbox: config.SANDBOX, profile });
  }

  @Get('openapi.json')
  openapi(@Res({ passthrough: true }) reply: FastifyReply): string {
    reply.type('application/json');
    return this.document;
  }

  @Get('docs')
  docs(@Res({ passthrough: true }) reply: FastifyReply): string {
    reply.type('text/html').headers(docsPolicy);
    return this.page;
  }
}
