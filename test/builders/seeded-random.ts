export { seededNumbers as seededRandom } from '../../src-main/base/mix.ts';
