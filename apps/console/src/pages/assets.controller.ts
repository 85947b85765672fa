import { Controller, Get, Header, Query, Res } from '@nestjs/common';
import { cacheControlOf } from '@xs2a/runtime/http/kept-file';
import type { FastifyReply } from 'fastify';
import { script, scriptHash } from './script.js';
import { style, styleHash } from './style.js';
import { htmx, htmxVersion } from './vendored.js';

const javascript = ['Content-Type', 'text/javascript; charset=utf-8'] as const;

/** The files that every page loads. They contain nothing of the bank and need no sign-in. */
@Controller('assets')
export class AssetsController {
  @Get('style.css')
  @Header('Content-Type', 'text/css; charset=utf-8')
  style(@Query('v') version: unknown, @Res({ passthrough: true }) reply: FastifyReply): string {
    reply.header('Cache-Control', cacheControlOf(version, styleHash));
    return style;
  }

  @Get('console.js')
  @Header(...javascript)
  script(@Query('v') version: unknown, @Res({ passthrough: true }) reply: FastifyReply): string {
    reply.header('Cache-Control', cacheControlOf(version, scriptHash));
    return script;
  }

  @Get('htmx.js')
  @Header(...javascript)
  htmx(@Query('v') version: unknown, @Res({ passthrough: true }) reply: FastifyReply): string {
    reply.header('Cache-Control', cacheControlOf(version, htmxVersion));
    return htmx;
  }
}
