/*
 * What undici imports of node:assert: it checks its own assumptions. The module brings all that compares and shows
 * values, and takes longer to load than whatever else undici needs of Node.
 */
module.exports = function assert(value, message = "An assumption of undici does not hold") {
  if (!value) throw message instanceof Error ? message : new Error(message);
};
