"""Feature selection as scikit-learn does it: estimators over `renyi.select`.

>>> from renyi_sklearn import RenyiSelector
>>> from sklearn.datasets import load_iris
>>> iris = load_iris(as_frame=True)
>>> selector = RenyiSelector().fit(iris.data, iris.target)
>>> selector.path_.selected[:2]  # in the order they entered
('petal width (cm)', 'petal length (cm)')
>>> selector.transform(iris.data).shape
(150, 4)

It needs the extra `sklearn`, scikit-learn 1.6 or newer.
"""

from renyi.errors import MissingExtraError

try:
    from sklearn.utils.validation import validate_data as _validate_data  # noqa: F401 - of 1.6
except ImportError as error:
    raise MissingExtraError.for_extra("sklearn", "`renyi_sklearn`") from error

from renyi_sklearn._cross_validated import RenyiSelectorCV
from renyi_sklearn._selector import RenyiSelector

__all__ = ["RenyiSelector", "RenyiSelectorCV"]
