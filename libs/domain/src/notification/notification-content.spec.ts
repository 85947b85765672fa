import { describe, expect, it } from '@jest/globals';
import { notificationContentText, parseNotificationContent } from './notification-content.js';

describe('TPP-Notification-Content-Preferred (contract 11)', () => {
  it.each([
    ['status=SCA', 'status=SCA'],
    ['status=PROCESS', 'status=PROCESS'],
    ['status=LAST', 'status=LAST'],
    ['status=LAST,SCA', 'status=SCA,LAST'],
    ['status=SCA, PROCESS , LAST', 'status=SCA,PROCESS,LAST'],
  ])('accepts %s as comma-separated values', (sent, answered) => {
    expect(notificationContentText(parseNotificationContent(sent) ?? [])).toBe(answered);
  });

  it('counts a repeated value once', () => {
    expect(parseNotificationContent('status=LAST,SCA,LAST')).toEqual(['SCA', 'LAST']);
  });

  it.each([
    '',
    'status=',
    'SCA',
    'status=sca',
    'status=ALL',
    'status=SCA,',
    'status=,SCA',
    'status=SCA;LAST',
    'status = SCA',
  ])('refuses the malformed value %j', (sent) => {
    expect(parseNotificationContent(sent)).toBeUndefined();
  });
});
