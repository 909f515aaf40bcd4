export { seededNumbers as seededRandom } from '../../src-main/base/seeded-numbers.ts';
