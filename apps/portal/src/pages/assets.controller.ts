import { Controller, Get, Header } from '@nestjs/common';
import { icon } from './icon.js';
import { script } from './script.js';
import { style } from './style.js';

/** Browsers keep these files for a year: the page names their hash. */
const kept = ['Cache-Control', 'public, max-age=31536000, immutable'] as const;

/** The files that every page loads. */
@Controller('portal')
export class AssetsController {
  @Get('style.css')
  @Header(...kept)
  @Header('Content-Type', 'text/css; charset=utf-8')
  style(): string {
    return style;
  }

  @Get('icon.svg')
  @Header('Cache-Control', 'public, max-age=86400')
  @Header('Content-Type', 'image/svg+xml')
  icon(): string {
    return icon;
  }

  @Get('portal.js')
  @Header(...kept)
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  script(): string {
    return script;
  }
}
