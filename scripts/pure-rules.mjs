// Lint rules of the layers that run the same with any clock: domain, executor and services.

/** Selectors of what these layers do not do: the selector → what they do in its place. */
const banned = {
  "MemberExpression[object.name='Date'][property.name='now']": 'Take a Clock.',
  "NewExpression[callee.name='Date'][arguments.length=0]": 'Take a Clock.',
  "ThrowStatement > NewExpression[callee.name='Error']": 'Throw an AppError or call invariant().',
};

const syntax = {
  create: (context) =>
    Object.fromEntries(
      Object.entries(banned).map(([selector, message]) => [
        selector,
        (node) => context.report({ node, message }),
      ]),
    ),
};

export default { meta: { name: 'pure' }, rules: { syntax } };
