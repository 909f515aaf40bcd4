// The user's settings, and the options of this process's start that override them. Who calls: the control API. All
// other code reads `inForce` each time it needs a setting, so that a change applies at once where it can.
import { Emitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import { settingFixed } from '../../domain/request-errors.ts';
import { settingEffects } from '../../domain/setting-effects.ts';
import {
  changeSettings,
  type LimitMode,
  type SettingName,
  type Settings,
  type SettingsChange,
} from '../../domain/settings.ts';
import type { Document } from '../ports.ts';

/** Options of this process's start that override the stored settings. */
export type StartOverrides = {
  readonly limits?: LimitMode | undefined;
  /** true: a request header may ask for a scenario. */
  readonly scenarios?: boolean | undefined;
  readonly port?: number | undefined;
  readonly profile?: string | undefined;
};

type SettingsServiceDeps = {
  readonly document: Document<Settings>;
  readonly start: StartOverrides;
  readonly log: Log;
};

export type SettingsState = {
  /** The settings in `settings.json`, with defaults for missing ones. */
  readonly stored: Settings;
  /** Changed since the start, and counted from the next one on. */
  readonly waiting: readonly SettingName[];
  /** The option of this start that a setting is fixed by. */
  readonly fixedBy: Readonly<Partial<Record<SettingName, string>>>;
};

export class SettingsService {
  /** Something was changed. */
  readonly events: Emitter<SettingsState>;
  readonly #document: SettingsServiceDeps['document'];
  readonly #start: StartOverrides;
  readonly #atStart: Settings;
  /** The settings in force last; cached because each call reads them several times. */
  #last: { readonly stored: Settings; readonly inForce: Settings } | undefined;

  constructor({ document, start, log }: SettingsServiceDeps) {
    this.#document = document;
    this.#start = start;
    this.#atStart = document.value;
    this.events = new Emitter((error) => log.error({ error }, 'a listener to settings failed'));
  }

  /** The settings that hold at this moment. */
  get inForce(): Settings {
    const stored = this.#document.value;
    if (this.#last?.stored !== stored) this.#last = { stored, inForce: this.#overlaid(stored) };
    return this.#last.inForce;
  }

  #overlaid(stored: Settings): Settings {
    const { limits, scenarios, profile } = this.#start;
    return {
      ...stored,
      ...(limits === undefined ? {} : { limits }),
      ...(profile === undefined ? {} : { profile }),
      ...(scenarios === true ? { scenarios: { ...stored.scenarios, header: true } } : {}),
    };
  }

  show(): SettingsState {
    const stored = this.#document.value;
    const fixedBy = this.#fixedBy();
    const names = Object.keys(settingEffects) as SettingName[];
    const isWaiting = (name: SettingName): boolean =>
      settingEffects[name] === 'next start' &&
      JSON.stringify(stored[name]) !== JSON.stringify(this.#atStart[name]);
    return { stored, waiting: names.filter(isWaiting), fixedBy };
  }

  /** Durable when it resolves. Throws `invalid_input` for what an option of this start has fixed. */
  async change(change: SettingsChange): Promise<SettingsState> {
    this.#assertOpen(change);
    await this.#document.update((settings) => changeSettings(settings, change));
    const state = this.show();
    this.events.emit(state);
    return state;
  }

  #fixedBy(): SettingsState['fixedBy'] {
    const { limits, scenarios, port, profile } = this.#start;
    return {
      ...(limits === undefined ? {} : { limits: '--limits' }),
      ...(scenarios === true ? { scenarios: '--scenarios' } : {}),
      ...(port === undefined ? {} : { port: '--port' }),
      ...(profile === undefined ? {} : { profile: '--profile' }),
    };
  }

  /** Throws for a setting that an option of this start fixes. `--scenarios` leaves those of single workflows open. */
  #assertOpen({ limits, port, profile, scenarios }: SettingsChange): void {
    const { fixedBy, stored } = this.show();
    const header = scenarios?.header ?? false;
    if (limits !== undefined && fixedBy.limits !== undefined) throw settingFixed('limits', fixedBy.limits);
    if (profile !== undefined && fixedBy.profile !== undefined)
      throw settingFixed('profile', fixedBy.profile);
    if (port !== undefined && fixedBy.port !== undefined) throw settingFixed('port', fixedBy.port);
    if (scenarios !== undefined && fixedBy.scenarios !== undefined && header !== stored.scenarios.header)
      throw settingFixed('scenarios', fixedBy.scenarios);
  }
}
