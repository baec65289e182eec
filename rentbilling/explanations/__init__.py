"""Why a figure is what it is, step by step.

Law: the steps of an explanation lead to the figure that they explain.
"""
