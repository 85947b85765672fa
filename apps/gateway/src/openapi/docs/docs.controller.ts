import { Controller, Get, Inject, Redirect, Res } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { FastifyReply } from 'fastify';
import { pagesOrigin } from '../../config.js';
import type { GatewayParts } from '../../edge/edge.js';
import { exampleTpp } from './guide.js';
import { docsPage, docsPolicy } from './page.js';
import { type DocumentSettings, type OpenApiDocument, openApiDocument } from '../document.js';
import { TppDirectory } from '../../checks/token/tpp-directory.js';

/** The description of this API, for programs and for people; made once, since it never changes while a process lives. */
@Controller()
export class DocsController {
  private readonly settings: DocumentSettings;
  private readonly document: OpenApiDocument;
  private readonly text: string;
  private page: string | undefined;

  constructor(
    @Inject(CONFIG) config: GatewayParts['config'],
    @Inject(PROFILE) profile: Profile,
    private readonly tpps: TppDirectory,
  ) {
    this.settings = {
      baseUrl: config.BASE_URL,
      pagesUrl: pagesOrigin(config),
      sandbox: config.SANDBOX,
      profile,
    };
    this.document = openApiDocument(this.settings);
    this.text = JSON.stringify(this.document);
  }

  /** There is no developer portal: the description takes its place (contract 1). */
  @Get()
  @Redirect('/docs', 302)
  index(): void {}

  @Get('openapi.json')
  openapi(@Res({ passthrough: true }) reply: FastifyReply): string {
    reply.type('application/json');
    return this.text;
  }

  @Get('docs')
  docs(@Res({ passthrough: true }) reply: FastifyReply): string {
    reply.type('text/html').headers(docsPolicy);
    if (this.page !== undefined) return this.page;
    const redirectUris = this.tpps.find(exampleTpp.clientId)?.redirectUris;
    const page = docsPage(this.document, this.settings, { redirectUris });
    if (this.tpps.isLoaded) this.page = page;
    return page;
  }
}
