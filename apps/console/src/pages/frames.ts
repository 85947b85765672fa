import { Injectable } from '@nestjs/common';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { toBadges } from '../now/badges.js';
import { Observer } from '../now/observer.js';
import { type Content, page } from './frame.js';
import type { Visit } from './visit.js';

/** Puts the content of a page into its frame, with the problems that wait on the other pages. */
@Injectable()
export class Frames {
  constructor(
    private readonly observer: Observer,
    private readonly clock: Clock,
  ) {}

  show({ staff, csrf, path, address }: Visit, content: Content): Html {
    const findings = this.observer.observation?.findings ?? [];
    const { realMs } = this.clock;
    const clockOffsetMs = Math.round(this.clock.nowMs() - realMs);
    return page(
      {
        staff,
        csrf,
        path,
        address,
        at: `${new Date(realMs).toISOString().slice(11, 19)} UTC`,
        badges: toBadges(findings),
        clockOffsetMs: Math.abs(clockOffsetMs) < 1000 ? 0 : clockOffsetMs,
      },
      content,
    );
  }
}
