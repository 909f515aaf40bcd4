import { describe, expect, it } from 'vitest';
import { defaultDataFolder } from '../../../src-main/storage/data-location.ts';

describe('the default data folder', () => {
  it.each([
    ['linux', {}, '/home/ann', '/home/ann/.local/share/rowbench'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/home/ann', '/data/rowbench'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ann', '/home/ann/.local/share/rowbench'],
    ['linux', { XDG_DATA_HOME: '' }, '/home/ann', '/home/ann/.local/share/rowbench'],
    ['darwin', { XDG_DATA_HOME: '/data' }, '/Users/ann', '/Users/ann/Library/Application Support/Rowbench'],
    ['win32', { APPDATA: 'D:\\Roaming' }, 'C:\\Users\\ann', 'D:\\Roaming\\Rowbench'],
    ['win32', {}, 'C:\\Users\\ann', 'C:\\Users\\ann\\AppData\\Roaming\\Rowbench'],
  ] as const)('on %s with %j for %s is %s', (platform, env, home, folder) => {
    expect(defaultDataFolder({ platform, env, home })).toBe(folder);
  });
});
