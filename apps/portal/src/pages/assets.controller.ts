import { Controller, Get, Header, Query, Res } from '@nestjs/common';
import { cacheControlOf } from '@xs2a/runtime/http/kept-file';
import type { FastifyReply } from 'fastify';
import { icon } from './icon.js';
import { script, scriptHash } from './script.js';
import { style, styleHash } from './style.js';

/** The files that every page loads. */
@Controller('portal')
export class AssetsController {
  @Get('style.css')
  @Header('Content-Type', 'text/css; charset=utf-8')
  style(@Query('v') version: unknown, @Res({ passthrough: true }) reply: FastifyReply): string {
    reply.header('Cache-Control', cacheControlOf(version, styleHash));
    return style;
  }

  @Get('icon.svg')
  @Header('Cache-Control', 'public, max-age=86400')
  @Header('Content-Type', 'image/svg+xml')
  icon(): string {
    return icon;
  }

  @Get('portal.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  script(@Query('v') version: unknown, @Res({ passthrough: true }) reply: FastifyReply): string {
    reply.header('Cache-Control', cacheControlOf(version, scriptHash));
    return script;
  }
}
