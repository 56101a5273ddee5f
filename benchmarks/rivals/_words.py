"""The prose of the page."""

from __future__ import annotations

__all__ = [
    "EQUAL",
    "INTRODUCTION",
    "METHOD_WORDS",
    "OVERALL",
    "REASONS",
    "RIVALS_TOLD",
    "SHORTFALL",
]

SHORTFALL = 3.0
"""Points below the best rival from which a reason is owed."""

REASONS: dict[str, str] = {
    "california_housing": "Once income is in, latitude and longitude matter together and hardly "
    "one by one, so that no single column passes; a forest that begins with all columns sees them.",
    "sonar": "Sixty neighbouring frequencies each add a little; on 145 rows the test lets five or "
    "six of them pass, and a model gains from dozens.",
    "credit_g": "The default counts both classes alike, and the score is mostly of the commoner "
    "one; of twenty columns that say a little each the test keeps four.",
    "spect": "22 columns of zeros and ones on 187 rows are each weak: they help together, and each "
    "fails by itself.",
}
"""Set -> why the default is further below the best rival than that, in a sentence."""

INTRODUCTION = """
Do the columns that `renyi.select` keeps predict as well as those that well-known selectors keep?
This page compares them on rows that no selection has seen. It is written by
`python benchmarks/rivals.py`; every outcome, with the names that were kept, is in
`benchmarks/figures/rivals/`.

**What was done.** {sets} public sets, described below. Of each, rows with holes are dropped,
columns with more than a quarter of holes before them, and classes of fewer than five rows. At
most 800 rows are drawn, by class. Ten times, 70% of the rows are for training and 30% for
testing, by class too. A method selects on the training rows alone. Three models are then fitted
to the selected columns of the training rows: a support vector machine with a Gaussian kernel, a
random forest of 100 trees and the five nearest neighbours, all at the settings of scikit-learn
(but that forests for numbers try a third of the columns at a time).
Their mean accuracy on the test rows is the score; for a target of numbers it is their mean R2.
Where nothing is selected, the answer is the commonest class or the mean. Scores are in points of
a hundred.

For the models, numbers are standardised and columns of names become a column of 0 and 1 for each
category (one for two categories), as the training rows have them. What is counted is always columns
of the table: a column is kept if any of its categories is. Seeds are fixed. Folds inside a
selection are of the training rows, five, or as many as the rarest class has rows.
"""

RIVALS_TOLD = """
To keep the whole affordable, forests are small inside the rivals: Boruta has 50 trees and 40
rounds, recursive elimination 30 trees and drops a third of the columns at a time. Where columns
are more than a hundred, trees are more, by the root of their number. The models that judge are the
same for all.
"""

METHOD_WORDS = {
    "all": "every column",
    "boruta": "Boruta (Kursa and Rudnicki 2010), the Python package: columns that a forest finds "
    "more important than the best of shuffled copies; undecided ones are left out",
    "rfecv": "recursive elimination by a forest's importances, the size by folds",
    "l1": "logistic regression with an L1 penalty, one model a class where there are more than "
    "two; the lasso for numbers; the penalty by folds; columns with a coefficient",
    "mrmr-cv": "mRMR, difference form (Peng, Long and Ding 2005), numbers cut into five equally "
    "full bins; the size by folds with a support vector machine",
    "kbest-mi-cv": "the columns with the most mutual information, one by one (scikit-learn); the "
    "size by folds with a support vector machine",
}

OVERALL = """
Means over the {sets} sets that every method has done; each set counts the same, and seconds are
those of one core for one selection, linear algebra on one thread, on a machine that did other work
too.
"""

EQUAL = """
mRMR can be cut anywhere. Here it keeps as many columns as `{name}` chose in the same split, so
that only the choice differs.
"""
