import { Controller, Get, Header, Query, Res } from '@nestjs/common';
import { cacheControlOf } from '@xs2a/runtime/http/kept-file';
import type { FastifyReply } from 'fastify';
import { script, scriptHash } from './script.js';
import { style, styleHash } from './style.js';
import { htmx, htmxVersion } from './vendored.js';

const javascript = ['Content-Type', 'text/javascript; charset=utf-8'] as const;

/** The icon of the console in the browser's tab: a line of events, the last one marked. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f2f3f"/><path d="M6 16h14" stroke="#fff" stroke-width="3" stroke-linecap="round"/><circle cx="8" cy="16" r="3" fill="#fff"/><circle cx="16" cy="16" r="3" fill="#fff"/><circle cx="24" cy="16" r="5" fill="#f5cf8a"/></svg>`;

/** The files that every page loads. They contain nothing of the bank and need no sign-in. */
@Controller('assets')
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
