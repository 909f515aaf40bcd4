// The role that each procedure and route of the control API takes, and whether it changes anything: a change is written to
// the audit log. A procedure or route without an entry does not compile.
import type { Role } from '../domain/access/role.ts';
import type { ProcedureName } from './procedures.ts';

/** Paths of the control API that are no procedures: rows and files, the event stream, and sessions. */
export type ControlRouteName =
  | 'events'
  | 'run.start'
  | 'run.export'
  | 'run.readRows'
  | 'run.readSelectedRows'
  | 'run.readFailures'
  | 'rows.read'
  | 'rows.save'
  | 'workflow.readTestRows'
  | 'sheet.read';

export type AccessRule = { readonly role: Role; readonly isChange: boolean };

const viewer: AccessRule = { role: 'viewer', isChange: false };
/** Takes the server's time or a user's secrets, but leaves nothing behind. */
const operator: AccessRule = { role: 'operator', isChange: false };
const operatorChange: AccessRule = { role: 'operator', isChange: true };
const admin: AccessRule = { role: 'admin', isChange: false };
const adminChange: AccessRule = { role: 'admin', isChange: true };

export const accessTable: Readonly<Record<ProcedureName | ControlRouteName, AccessRule>> = {
  events: viewer,
  'server.info': viewer,
  'server.link': adminChange,

  'run.list': viewer,
  'run.removed': viewer,
  'run.show': viewer,
  'run.trace': viewer,
  'run.nodes': viewer,
  'run.nodeValues': viewer,
  'run.rows': viewer,
  'run.minimap': viewer,
  'run.rowLocation': viewer,
  'run.fixture': viewer,
  'run.value': viewer,
  'run.causes': viewer,
  'run.nodeSource': viewer,
  'run.table': viewer,
  'run.columns': viewer,
  'run.statistics': viewer,
  'run.compare': viewer,
  'run.comparePage': viewer,
  'run.workflowText': viewer,
  'run.find': viewer,
  'run.sample': viewer,
  'run.exportProgress': viewer,
  'run.export': viewer,
  'run.readRows': viewer,
  'run.readSelectedRows': viewer,
  'run.readFailures': viewer,
  // Runs the row once more; its calls may reach services.
  'run.traceRow': operatorChange,
  'run.start': operatorChange,
  'run.label': operatorChange,
  'run.pause': operatorChange,
  'run.resume': operatorChange,
  'run.cancel': operatorChange,
  'run.rerun': operatorChange,
  'run.bulk': operatorChange,
  'run.rest': operatorChange,
  // Writes a file of a workflow.
  'run.saveTest': adminChange,

  'rows.entry': viewer,
  'rows.list': viewer,
  'rows.draft': viewer,
  'rows.read': viewer,
  'rows.rename': operatorChange,
  'rows.remove': operatorChange,
  'rows.restore': operatorChange,
  'rows.dropDraft': operatorChange,
  'rows.save': operatorChange,
  'sheet.read': operator,

  'workflow.list': viewer,
  'workflow.show': viewer,
  'workflow.preflight': viewer,
  'workflow.source': viewer,
  'workflow.cassette': viewer,
  'workflow.tests': viewer,
  'workflow.testRows': viewer,
  'workflow.readTestRows': viewer,
  'workflow.runTests': operator,
  // Reads files of the server's machine.
  'workflow.inspect': admin,
  'workflow.import': adminChange,
  'workflow.publish': adminChange,
  'workflow.trust': adminChange,
  'workflow.revoke': adminChange,
  'workflow.grant': adminChange,

  'author.open': viewer,
  'author.check': viewer,
  'author.checkFile': viewer,
  'author.edit': viewer,
  'author.form': viewer,
  'author.names': viewer,
  'author.nodeTypes': viewer,
  'author.connections': viewer,
  'author.renameNode': viewer,
  'author.renameField': viewer,
  'author.fixes': viewer,
  'author.insertRead': viewer,
  'author.complete': viewer,
  'author.symbol': viewer,
  'author.drafts': viewer,
  'author.history': viewer,
  'author.savedText': viewer,
  'author.templates': viewer,
  'author.folders': viewer,
  'author.draftNew': viewer,
  'author.value': operator,
  'author.testOfRow': viewer,
  // Execute the draft's code, without calls.
  'author.preview': operator,
  'author.runTests': operator,
  'author.testRows': operator,
  'author.claim': operator,
  'author.release': operator,
  'author.keep': operatorChange,
  'author.drop': operatorChange,
  // Calls a service with the server's secrets, as an unsaved draft says.
  'author.call': adminChange,
  'author.keepAnswer': adminChange,
  'author.save': adminChange,
  'author.create': adminChange,

  'secret.list': viewer,
  'secret.missing': viewer,
  'secret.set': adminChange,
  'secret.remove': adminChange,
  'key.list': viewer,
  'key.test': admin,
  'key.create': adminChange,
  'key.revoke': adminChange,
  'browser.list': admin,
  'browser.revoke': adminChange,
  'settings.show': viewer,
  'settings.retention': admin,
  'settings.folder': viewer,
  'settings.change': adminChange,
  'token.list': admin,
  'token.create': adminChange,
  'token.revoke': adminChange,
  'audit.list': admin,

  'calls.list': viewer,
  'calls.show': viewer,
  'calls.har': viewer,
  'calls.advice': viewer,
  'limits.show': viewer,
  // Makes a call in the name of its key.
  'calls.replay': operatorChange,
};
