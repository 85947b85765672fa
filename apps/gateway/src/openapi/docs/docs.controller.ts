import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { gzipSync } from 'node:zlib';
import type { GatewayParts } from '../../edge/edge.js';
import { exampleTpp } from './guide.js';
import { docsPage, docsPolicy } from './page.js';
import {
  type DocumentSettings,
  documentSettings,
  type OpenApiDocument,
  openApiDocument,
} from '../document.js';
import { TppDirectory } from '../../checks/token/tpp-directory.js';

/** True if the header accepts gzip (RFC 9110 12.5.3). */
const acceptsGzip = (accepted: string | string[] | undefined): boolean =>
  /(?:^|,) *gzip *(?:;(?! *q=0(?:\.0*)? *(?:,|$))|,|$)/i.test([accepted ?? ''].flat().join());

/**
 * The API description in the form in which it is sent. It is compressed only once, so that repeated requests for
 * it cost almost nothing.
 */
interface Described {
  /** The day on which the example dates are based. */
  readonly day: string;
  /** The name of the profile that it describes. */
  readonly profile: string;
  readonly document: OpenApiDocument;
  readonly bytes: Buffer;
  readonly compressed: Buffer;
  page?: string;
}

/** The API description for programs and for readers. It is regenerated daily because its examples contain
 * dates, and when the bank switches to another profile.
 */
@Controller()
export class DocsController {
  private readonly settings: DocumentSettings;
  private described: Described;

  constructor(
    @Inject(CONFIG) config: GatewayParts['config'],
    @Inject(PROFILE) profile: Profile,
    private readonly clock: Clock,
    private readonly tpps: TppDirectory,
  ) {
    this.settings = documentSettings(config, profile);
    this.described = this.describe();
  }

  @Get('openapi.json')
  openapi(@Req() { headers }: FastifyRequest, @Res() reply: FastifyReply): void {
    const isCompressed = acceptsGzip(headers['accept-encoding']);
    const { bytes, compressed } = this.ofToday();
    reply.type('application/json').header('vary', 'accept-encoding');
    if (isCompressed) reply.header('content-encoding', 'gzip');
    reply.send(isCompressed ? compressed : bytes);
  }

  @Get('docs')
  docs(@Res({ passthrough: true }) reply: FastifyReply): string {
    reply.type('text/html').headers(docsPolicy);
    const today = this.ofToday();
    if (today.page !== undefined) return today.page;
    const redirectUris = this.tpps.find(exampleTpp.clientId)?.redirectUris;
    const page = docsPage(today.document, this.settings, { redirectUris });
    if (this.tpps.isLoaded) today.page = page;
    return page;
  }

  private ofToday(): Described {
    const { day, profile } = this.described;
    if (day !== this.today() || profile !== this.settings.profile.name) this.described = this.describe();
    return this.described;
  }

  private describe(): Described {
    const day = this.today();
    const document = openApiDocument(this.settings, day);
    const bytes = Buffer.from(JSON.stringify(document));
    return { day, profile: this.settings.profile.name, document, bytes, compressed: gzipSync(bytes) };
  }

  private today(): string {
    return this.clock.date(this.settings.profile.timeZone);
  }
}
