import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import { Clock } from '@xs2a/runtime/clock';
import { acceptsGzip } from '@xs2a/runtime/http/accepts-gzip';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { GatewayParts } from '../edge/edge.js';
import { compactDocument } from './compact-document.js';
import { type DocumentSettings, documentSettings, openApiDocument } from './document.js';

/** True if the client already has the representation with this entity tag (RFC 9110 13.1.2). */
const hasTag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === tag || one === '*');

interface Representation {
  readonly bytes: Buffer;
  readonly tag: string;
}

/**
 * The API description in the form in which it is sent. It is compressed only once, so that repeated requests for
 * it cost almost nothing.
 */
interface Described {
  /** The day on which the example dates are based. */
  readonly day: string;
  /** The name of the profile that it describes. */
  readonly profile: string;
  readonly plain: Representation;
  readonly compressed: Representation;
}

/**
 * The API description for programs. It is made again each day, because its examples contain dates, and when the bank
 * switches to another profile.
 */
@Controller()
export class DescriptionController {
  private readonly settings: DocumentSettings;
  private described: Described;

  constructor(
    @Inject(CONFIG) config: GatewayParts['config'],
    @Inject(PROFILE) profile: Profile,
    private readonly clock: Clock,
  ) {
    this.settings = documentSettings(config, profile);
    this.described = this.describe();
  }

  @Get('openapi.json')
  openapi(@Req() { headers }: FastifyRequest, @Res() reply: FastifyReply): void {
    const isCompressed = acceptsGzip(headers['accept-encoding']);
    const { plain, compressed } = this.ofToday();
    const { bytes, tag } = isCompressed ? compressed : plain;
    reply.headers({ vary: 'accept-encoding', etag: tag, 'cache-control': 'no-cache' });
    if (hasTag(headers['if-none-match'], tag)) {
      reply.code(304).send();
      return;
    }
    if (isCompressed) reply.header('content-encoding', 'gzip');
    reply.type('application/json').send(bytes);
  }

  private ofToday(): Described {
    const { day, profile } = this.described;
    if (day !== this.today() || profile !== this.settings.profile.name) this.described = this.describe();
    return this.described;
  }

  private describe(): Described {
    const day = this.today();
    const bytes = Buffer.from(JSON.stringify(compactDocument(openApiDocument(this.settings, day))));
    const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return {
      day,
      profile: this.settings.profile.name,
      plain: { bytes, tag: `"${digest}"` },
      compressed: { bytes: gzipSync(bytes), tag: `"${digest}-gzip"` },
    };
  }

  private today(): string {
    return this.clock.date(this.settings.profile.timeZone);
  }
}
